/** The number that an option gives, or a complaint that names the option. */
export function within(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (value >= least && value <= most) return value;
  throw new RangeError(`--${name} is '${text}', expected a number from ${least} to ${most}`);
}

/** A signal becomes a failure like any other, so that children and folders go the same way in every case. */
export function waitForSignal(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  // It may come while the servers are still starting, before anyone waits for it.
  promise.catch(() => undefined);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => reject(new Error(`Stopped by ${signal}`)));
  }
  return promise;
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
