/** The number of an option, or an error that names the option. */
export function parseNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (value >= min && value <= max) return value;
  throw new RangeError(`--${name} is '${text}', expected a number from ${min} to ${max}`);
}

/** A signal becomes a failure like any other, so that children and folders go the same way in every case. */
export function waitForSignal(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  // It may come while the servers are still starting, before the promise is awaited.
  promise.catch(() => undefined);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => reject(new Error(`Stopped by ${signal}`)));
  }
  return promise;
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
