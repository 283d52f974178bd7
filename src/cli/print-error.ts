import { type Config, processEnvironment, readConfig } from '../server/config.ts';
import { metricsHost } from '../server/serve-metrics.ts';
import { printError, printNote } from './print.ts';

/** Lines after the first are details. */
export function exitWithError(message: string, ...details: string[]): never {
  printError(message);
  for (const line of details) printNote(line);
  process.exit(1);
}

export function readConfigOrExit(): Config {
  const result = readConfig(processEnvironment());
  if ('config' in result) return result.config;
  return exitWithError('invalid configuration:', ...result.errors.map(line => `  ${line}`));
}

export function explainListenError(
  error: unknown,
  { port, host }: Pick<Config, 'port' | 'host'>,
  setting = 'PORT',
): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `port ${port} is in use. Stop the other process or change ${setting}.`;
  if (code === 'EACCES') return `permission denied for port ${port}. Set ${setting} to a port above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `HOST is '${host}', which is not an address of this machine.`;
  }
  return errorMessage(error);
}

export function explainMetricsError(error: unknown, { metricsPort = 0 }: Config): string {
  return explainListenError(error, { port: metricsPort, host: metricsHost }, 'METRICS_PORT');
}

export function explainDatabaseError(error: unknown, { databaseUrl, dataDir }: Config): string {
  const why = databaseReasons.get((error as NodeJS.ErrnoException).code ?? '') ?? errorMessage(error);
  if (!databaseUrl) return `cannot use the data folder ${dataDir}: ${why}`;
  const { protocol, host, pathname } = new URL(databaseUrl);
  return `cannot use the database at ${protocol}//${host}${pathname}: ${why}`;
}

const noPermission = 'permission denied; run this as the user that runs the site';
const databaseReasons = new Map([
  ['EACCES', noPermission],
  ['EPERM', noPermission],
  ['ECONNREFUSED', 'connection refused; is PostgreSQL running?'],
  ['ENOTFOUND', 'host not found'],
]);

export function orExit<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return exitWithError(...splitMessage(error));
  }
}

/** For an error whose message is a list, such as the validation errors of content/. */
export function splitMessage(error: unknown): [string, ...string[]] {
  return (error instanceof Error ? error.message : String(error)).split('\n') as [string, ...string[]];
}

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

export function formatUrl(host: string, port: number): string {
  const isLocal = host === '127.0.0.1' || host === '0.0.0.0' || host === '::' || host === '::1';
  return `http://${isLocal ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}
