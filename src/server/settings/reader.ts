import { readFileSync } from 'node:fs';

/** Settings that are never printed, and that may stand in a file of their own. */
const secretNames = [
  'DATABASE_URL',
  'NEWSLETTER_WEBHOOK_SECRET',
  'SECRET',
  'SECRET_PREVIOUS',
  'SHEET_AUTH',
  'SMTP_URL',
  'WEBHOOK_URL',
  'WEBHOOK_SECRET',
  'WEBHOOK_SECRET_PREVIOUS',
] as const;
type SecretName = (typeof secretNames)[number];

export type Environment = Record<string, string | undefined>;

/** Reads settings by name and gathers every mistake: name, what was found, what is expected. */
export type Reader = {
  /** The fallback where the setting is unset or blank, or wrong. */
  read<T>(name: string, fallback: T, expected: string, parse: (value: string) => T | undefined): T;
  /** A value that is never printed. NAME_FILE may name a file that holds it instead. */
  secret<T = string>(name: string, expected: string, parse?: (value: string) => T | undefined): T | undefined;
  isSet(name: string): boolean;
  /** A mistake that no single value shows, such as a setting that needs another. */
  mistake(line: string): void;
};

export function createReader(env: Environment): Reader & { mistakes: string[] } {
  const mistakes: string[] = [];
  const find = (name: string) => env[name]?.trim() || undefined;

  function fromFile(name: string): string | undefined {
    const file = find(name);
    if (!file) return undefined;
    try {
      const text = readFileSync(file, 'utf8').trim();
      if (text) return text;
      mistakes.push(`${name} is '${file}', which is empty`);
    } catch (error) {
      mistakes.push(`${name} is '${file}', which cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
    return undefined;
  }

  return {
    mistakes,
    read(name, fallback, expected, parse) {
      const found = find(name);
      if (found === undefined) return fallback;
      const value = parse(found);
      if (value !== undefined) return value;
      mistakes.push(`${name} is '${hidden(name, found)}', expected ${expected}`);
      return fallback;
    },
    secret<T>(name: SecretName, expected: string, parse?: (value: string) => T | undefined) {
      if (find(name) && find(`${name}_FILE`)) mistakes.push(`${name} and ${name}_FILE are both set`);
      const found = find(name) ?? fromFile(`${name}_FILE`);
      if (found === undefined) return undefined;
      const value = parse ? parse(found) : (found as T);
      if (value === undefined) mistakes.push(`${name} is not shown here, expected ${expected}`);
      return value;
    },
    isSet: name => find(name) !== undefined || (isSecret(name) && find(`${name}_FILE`) !== undefined),
    mistake: line => mistakes.push(line),
  };
}

function isSecret(name: string): name is SecretName {
  return secretNames.some(secret => secret === name);
}

export function oneOf<T extends string>(...allowed: T[]) {
  return (value: string): T | undefined => allowed.find(one => one === value);
}

export function wholeNumber(most: number, least = 0) {
  return (value: string): number | undefined =>
    /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most ? Number(value) : undefined;
}

/** An address may carry a password, whatever else is wrong with it: what could be one is not printed. */
function hidden(name: string, value: string): string {
  if (!/_(URL|ENDPOINT)$/.test(name)) return value;
  const scheme = /^[a-z]+:\/\//i.exec(value)?.[0] ?? '';
  const at = value.lastIndexOf('@');
  const shown = (at < 0 ? value : `${scheme}…${value.slice(at)}`).replace(/\?.*/s, '?…');
  // Whoever knows the path of a sheet can write to it.
  return name.startsWith('SHEET_') ? shown.replace(/^([a-z]+:\/\/[^/]*\/).+/is, '$1…') : shown;
}
