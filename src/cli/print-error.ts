import { type Config, processEnvironment, readConfig } from '../server/config.ts';
import { metricsHost } from '../server/serve-metrics.ts';
import { printNote } from './print.ts';

export function exitWithError(...lines: string[]): never {
  for (const line of lines) printNote(line);
  process.exit(1);
}

export function readConfigOrExit(): Config {
  const result = readConfig(processEnvironment());
  if ('config' in result) return result.config;
  return exitWithError('The configuration has mistakes:', ...result.mistakes.map(line => `  ${line}`));
}

export function explainListenError(
  error: unknown,
  { port, host }: Pick<Config, 'port' | 'host'>,
  setting = 'PORT',
): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken: stop what uses it, or set ${setting} to another one.`;
  if (code === 'EACCES')
    return `Port ${port} may not be opened by this user: set ${setting} to one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `HOST is '${host}', which is no address of this machine.`;
  }
  return errorMessage(error);
}

export function explainMetricsError(error: unknown, { metricsPort = 0 }: Config): string {
  return explainListenError(error, { port: metricsPort, host: metricsHost }, 'METRICS_PORT');
}

export function explainDatabaseError(error: unknown, { databaseUrl, dataDir }: Config): string {
  const why = databaseReasons.get((error as NodeJS.ErrnoException).code ?? '') ?? errorMessage(error);
  if (!databaseUrl) return `The data folder ${dataDir} cannot be used: ${why}`;
  const { protocol, host, pathname } = new URL(databaseUrl);
  return `The database at ${protocol}//${host}${pathname} cannot be used: ${why}`;
}

const asItsUser = 'this user may not write there; run it as the user the site runs as';
const databaseReasons = new Map([
  ['EACCES', asItsUser],
  ['EPERM', asItsUser],
  ['ECONNREFUSED', 'nothing answers there; is PostgreSQL running?'],
  ['ENOTFOUND', 'its host has no address'],
]);

export function orExit<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return exitWithError(...splitMessage(error));
  }
}

/** For an error whose message is a list, such as the mistakes in content/. */
export function splitMessage(error: unknown): string[] {
  return (error instanceof Error ? error.message : String(error)).split('\n');
}

export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner =
    error instanceof AggregateError ? error.errors.map(one => one.message).join('; ') : error.message;
  return inner.split('\n')[0] ?? '';
}

export function explainFileError(error: unknown): string {
  return fileReasons.get((error as NodeJS.ErrnoException).code ?? '') ?? errorMessage(error);
}

const fileReasons = new Map([
  ['ENOENT', 'it is not there'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'this user may not read it'],
]);

export function formatUrl(host: string, port: number): string {
  const isHere = host === '127.0.0.1' || host === '0.0.0.0' || host === '::' || host === '::1';
  return `http://${isHere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}
