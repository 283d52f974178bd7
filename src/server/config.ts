import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadEnvFile } from 'node:process';
import { type LogLevel, logLevels } from '../lib/log.ts';

export type Config = {
  port: number;
  host: string;
  /** Origin of the public site, without a trailing slash; absent on a machine that is not public. */
  siteUrl: string | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  drainMs: number;
  logLevel: LogLevel;
};

export type Environment = Record<string, string | undefined>;
export type ConfigResult = { config: Config } | { mistakes: string[] };

/** Reads every setting and reports every mistake at once: name, what was found, what is expected. */
export function readConfig(env: Environment): ConfigResult {
  const mistakes: string[] = [];

  function read<T>(name: string, fallback: T, expected: string, parse: (value: string) => T | undefined): T {
    const found = env[name]?.trim();
    if (!found) return fallback;
    const value = parse(found);
    if (value !== undefined) return value;
    mistakes.push(`${name} is '${hidden(name, found)}', expected ${expected}`);
    return fallback;
  }

  const config: Config = {
    port: read('PORT', 3000, 'a whole number from 0 to 65535', wholeNumber(65_535)),
    host: read('HOST', '127.0.0.1', 'a host name or address to listen on', hostName),
    siteUrl: read<string | undefined>(
      'SITE_URL',
      undefined,
      'an address such as https://www.example.com',
      origin,
    ),
    dataDir: read('DATA_DIR', resolve('data'), 'a folder', value => resolve(value)),
    databaseUrl: read<string | undefined>(
      'DATABASE_URL',
      undefined,
      'an address such as postgres://user:password@host:5432/name',
      postgresUrl,
    ),
    drainMs: read('DRAIN_MS', 0, 'a whole number of milliseconds from 0 to 300000', wholeNumber(300_000)),
    logLevel: read('LOG_LEVEL', 'info', logLevels.join(', '), value =>
      logLevels.find(level => level === value),
    ),
  };
  return mistakes.length > 0 ? { mistakes } : { config };
}

/** The process's own environment, with `.env` under it where there is one. */
export function processEnvironment(): Environment {
  if (existsSync('.env')) loadEnvFile('.env');
  return process.env;
}

/** For a command: the configuration, or every mistake on standard error and the end of the process. */
export function configOrExit(): Config {
  const result = readConfig(processEnvironment());
  if ('config' in result) return result.config;
  process.stderr.write(
    `The configuration has mistakes:\n${result.mistakes.map(line => `  ${line}\n`).join('')}`,
  );
  process.exit(1);
}

/** Vite and React read the kind of build to make from the environment; ours is always the one for visitors. */
export async function inProduction<T>(work: () => Promise<T>): Promise<T> {
  const { NODE_ENV: before } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}

function wholeNumber(most: number) {
  return (value: string) => (/^\d{1,9}$/.test(value) && Number(value) <= most ? Number(value) : undefined);
}

function hostName(value: string): string | undefined {
  return /^[A-Za-z0-9.:_-]{1,253}$/.test(value) ? value : undefined;
}

function origin(value: string): string | undefined {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  return url.pathname === '/' && !url.search && !url.hash ? url.origin : undefined;
}

function postgresUrl(value: string): string | undefined {
  const url = URL.parse(value);
  return url && /^postgres(ql)?:\/\//.test(value) && url.pathname.length > 1 ? value : undefined;
}

/** An address may carry a password, whatever else is wrong with it: what could be one is not printed. */
function hidden(name: string, value: string): string {
  if (!name.endsWith('_URL')) return value;
  const scheme = /^[a-z]+:\/\//i.exec(value)?.[0] ?? '';
  const at = value.lastIndexOf('@');
  return (at < 0 ? value : `${scheme}…${value.slice(at)}`).replace(/\?.*/s, '?…');
}
