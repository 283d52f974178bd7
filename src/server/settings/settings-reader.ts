import { readFileSync } from 'node:fs';

export type Environment = Record<string, string | undefined>;

type Parse<T> = (value: string) => T | undefined;

type NumberRange = { min?: number; max: number; unit?: string; zero?: string };

export type SettingsReader = {
  /** Undefined if the setting is unset, blank or wrong. */
  read<T>(name: string, expected: string, parse: Parse<T>): T | undefined;
  /** Never printed; NAME_FILE may name a file that holds the value. */
  secret<T>(name: string, expected: string, parse: Parse<T>): T | undefined;
  choice<T extends string, F extends T | undefined>(name: string, fallback: F, allowed: readonly T[]): T | F;
  number(name: string, fallback: number, range: NumberRange): number;
  isSet(name: string): boolean;
  isSecretSet(name: string): boolean;
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

  function read<T>(name: string, expected: string, parse: Parse<T>): T | undefined {
    const found = find(name);
    if (found === undefined) return undefined;
    const value = parse(found);
    if (value === undefined) errors.push(`${name} is '${redactUrl(name, found)}', expected ${expected}`);
    return value;
  }

  return {
    errors,
    read,
    choice: (name, fallback, allowed) =>
      read(name, listChoices(allowed), value => allowed.find(one => one === value)) ?? fallback,
    number(name, fallback, { min = 0, max, unit, zero }) {
      const expected = `a whole number${unit ? ` of ${unit}` : ''} from ${min}${zero ? ` (${zero})` : ''} to ${max}`;
      return read(name, expected, wholeNumber(max, min)) ?? fallback;
    },
    secret(name, expected, parse) {
      if (find(name) && find(`${name}_FILE`)) errors.push(`${name} and ${name}_FILE are both set`);
      const found = find(name) ?? fromFile(`${name}_FILE`);
      if (found === undefined) return undefined;
      const value = parse(found);
      if (value === undefined) errors.push(`${name} is not shown here, expected ${expected}`);
      return value;
    },
    isSet: name => find(name) !== undefined,
    isSecretSet: name => (find(name) ?? find(`${name}_FILE`)) !== undefined,
    addError: line => errors.push(line),
  };
}

function listChoices(allowed: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(allowed).replace(/, or /, ' or ');
}

export function matching(pattern: RegExp): Parse<string> {
  return value => (pattern.test(value) ? value : undefined);
}

export function wholeNumber(max: number, min = 0) {
  return (value: string): number | undefined =>
    /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined;
}

function redactUrl(name: string, value: string): string {
  if (!/_(URL|ENDPOINT)$/.test(name)) return value;
  const scheme = /^[a-z]+:\/\//i.exec(value)?.[0] ?? '';
  const at = value.lastIndexOf('@');
  const shown = (at < 0 ? value : `${scheme}…${value.slice(at)}`).replace(/\?.*/s, '?…');
  // The path of a sheet is enough to write to it.
  return name.startsWith('SHEET_') ? shown.replace(/^([a-z]+:\/\/[^/]*\/).+/is, '$1…') : shown;
}

export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

/** For personal data: https, or http on this machine; without a password, because URLs are logged. */
export function parseSecureUrl(value: string): URL | undefined {
  const url = URL.parse(value);
  if (!url || url.username || url.password) return undefined;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
    ? url
    : undefined;
}

export function listOf<T>(parse: (text: string) => T | undefined): (value: string) => T[] | undefined {
  return value => {
    const texts = value.split(/[\s,]+/).filter(Boolean);
    const parsed = texts.map(parse).filter(one => one !== undefined);
    return parsed.length === texts.length ? parsed : undefined;
  };
}
