/** One line, also of an error that is made of several. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message =
    error instanceof AggregateError ? error.errors.map(one => one.message).join('; ') : error.message;
  return message.split('\n')[0] ?? '';
}

export function explainFileError(error: unknown): string {
  return fileReasons.get((error as NodeJS.ErrnoException).code ?? '') ?? errorMessage(error);
}

const fileReasons = new Map([
  ['ENOENT', 'no such file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'permission denied'],
]);
