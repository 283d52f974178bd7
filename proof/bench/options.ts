import { parseArgs } from 'node:util';

/** Options that are numbers: each with what it is without, its least and its most. */
export function readNumbers<Name extends string>(
  args: string[],
  numbers: Record<Name, [without: number, least: number, most: number]>,
): Record<Name, number> {
  const names = Object.keys(numbers) as Name[];
  const { values } = parseArgs({
    args,
    options: Object.fromEntries(names.map(name => [name, { type: 'string' as const }])),
  });
  const read = (name: Name) => {
    const [without, least, most] = numbers[name];
    return parseNumber(name, values[name] ?? String(without), least, most);
  };
  return Object.fromEntries(names.map(name => [name, read(name)])) as Record<Name, number>;
}

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
