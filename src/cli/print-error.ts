import { type Config, processEnvironment, readConfig } from '../server/config.ts';
import { metricsHost } from '../server/serve-metrics.ts';
import { note } from './print.ts';

export function complain(...lines: string[]): never {
  for (const line of lines) note(line);
  process.exit(1);
}

export function configOrExit(): Config {
  const result = readConfig(processEnvironment());
  if ('config' in result) return result.config;
  return complain('The configuration has mistakes:', ...result.mistakes.map(line => `  ${line}`));
}

export function explainListening(
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
  return reason(error);
}

export function explainMetrics(error: unknown, { metricsPort = 0 }: Config): string {
  return explainListening(error, { port: metricsPort, host: metricsHost }, 'METRICS_PORT');
}

export function explainStore(error: unknown, { databaseUrl, dataDir }: Config): string {
  const why = storeReasons.get((error as NodeJS.ErrnoException).code ?? '') ?? reason(error);
  if (!databaseUrl) return `The data folder ${dataDir} cannot be used: ${why}`;
  const { protocol, host, pathname } = new URL(databaseUrl);
  return `The database at ${protocol}//${host}${pathname} cannot be used: ${why}`;
}

const asItsUser = 'this user may not write there; run it as the user the site runs as';
const storeReasons = new Map([
  ['EACCES', asItsUser],
  ['EPERM', asItsUser],
  ['ECONNREFUSED', 'nothing answers there; is PostgreSQL running?'],
  ['ENOTFOUND', 'its host has no address'],
]);

export function orComplain<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return complain(...linesOf(error));
  }
}

/** For an error whose message is a list, such as the mistakes in content/. */
export function linesOf(error: unknown): string[] {
  return (error instanceof Error ? error.message : String(error)).split('\n');
}

export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner =
    error instanceof AggregateError ? error.errors.map(one => one.message).join('; ') : error.message;
  return inner.split('\n')[0] ?? '';
}

export function explainFile(error: unknown): string {
  return plainReasons.get((error as NodeJS.ErrnoException).code ?? '') ?? reason(error);
}

const plainReasons = new Map([
  ['ENOENT', 'it is not there'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'this user may not read it'],
]);

export function shownAddress(host: string, port: number): string {
  const isHere = host === '127.0.0.1' || host === '0.0.0.0' || host === '::' || host === '::1';
  return `http://${isHere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}
