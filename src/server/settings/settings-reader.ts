import { readFileSync } from 'node:fs';

/** Never printed; NAME_FILE may name a file that holds the value. */
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

export type SettingsReader = {
  /** The fallback where the setting is unset, blank or wrong. */
  read<T>(name: string, fallback: T, expected: string, parse: (value: string) => T | undefined): T;
  secret<T = string>(name: string, expected: string, parse?: (value: string) => T | undefined): T | undefined;
  isSet(name: string): boolean;
  addError(line: string): void;
};

export function createSettingsReader(env: Environment): SettingsReader & { errors: string[] } {
  const errors: string[] = [];
  const find = (name: string) => env[name]?.trim() || undefined;

  function fromFile(name: string): string | undefined {
    const file = find(name);
    if (!file) return undefined;
    try {
      const text = readFileSync(file, 'utf8').trim();
      if (text) return text;
      errors.push(`${name} is '${file}', which is empty`);
    } catch (error) {
      errors.push(`${name} is '${file}', which cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
    return undefined;
  }

  return {
    errors,
    read(name, fallback, expected, parse) {
      const found = find(name);
      if (found === undefined) return fallback;
      const value = parse(found);
      if (value !== undefined) return value;
      errors.push(`${name} is '${redactUrl(name, found)}', expected ${expected}`);
      return fallback;
    },
    secret<T>(name: SecretName, expected: string, parse?: (value: string) => T | undefined) {
      if (find(name) && find(`${name}_FILE`)) errors.push(`${name} and ${name}_FILE are both set`);
      const found = find(name) ?? fromFile(`${name}_FILE`);
      if (found === undefined) return undefined;
      const value = parse ? parse(found) : (found as T);
      if (value === undefined) errors.push(`${name} is not shown here, expected ${expected}`);
      return value;
    },
    isSet: name => find(name) !== undefined || (isSecret(name) && find(`${name}_FILE`) !== undefined),
    addError: line => errors.push(line),
  };
}

function isSecret(name: string): name is SecretName {
  return secretNames.some(secret => secret === name);
}

export function oneOf<T extends string>(...allowed: T[]) {
  return (value: string): T | undefined => allowed.find(one => one === value);
}

export function wholeNumber(max: number, min = 0) {
  return (value: string): number | undefined =>
    /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined;
}

/** Hides what could be a password in a URL. */
function redactUrl(name: string, value: string): string {
  if (!/_(URL|ENDPOINT)$/.test(name)) return value;
  const scheme = /^[a-z]+:\/\//i.exec(value)?.[0] ?? '';
  const at = value.lastIndexOf('@');
  const shown = (at < 0 ? value : `${scheme}…${value.slice(at)}`).replace(/\?.*/s, '?…');
  // The path of a sheet is enough to write to it.
  return name.startsWith('SHEET_') ? shown.replace(/^([a-z]+:\/\/[^/]*\/).+/is, '$1…') : shown;
}

/** The only host to which data is sent unencrypted. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

/** For personal data: https, or http on this machine; without a password, because URLs are logged. */
export function safeAddress(value: string): URL | undefined {
  const url = URL.parse(value);
  if (!url || url.username || url.password) return undefined;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
    ? url
    : undefined;
}
