/** One line, also of an error that is made of several. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message =
    error instanceof AggregateError ? error.errors.map(one => one.message).join('; ') : error.message;
  return message.split('\n')[0] ?? '';
}
