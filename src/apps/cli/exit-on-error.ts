import { resolve } from 'node:path';
import { loadEnvironment } from '../../core/settings/environment.ts';
import { errorMessage } from '../../lib/error-message.ts';
import { type Config, readConfig, readDatabaseConfig } from '../server/config.ts';
import { metricsHost, serveMetrics } from '../server/serve-metrics.ts';
import { type ServiceOverrides, type Services, wire } from '../server/wire.ts';
import { exitWithError, printNote } from './print.ts';

export const root = resolve(import.meta.dirname, '../../..');
export const dist = resolve(root, 'dist');

export function readConfigOrExit(): Config {
  const result = readConfig(loadEnvironment());
  if ('config' in result) return result.config;
  return exitWithErrors(result.errors);
}

export function readDatabaseConfigOrExit(): Config {
  const result = readDatabaseConfig(loadEnvironment());
  if ('errors' in result) return exitWithErrors(result.errors);
  for (const line of result.warnings)
    printNote(`Warning: ${line}. The site does not start until this is corrected.`);
  return result.config;
}

function exitWithErrors(errors: readonly string[]): never {
  return exitWithError('invalid configuration:', ...errors.map(line => `  ${line}`));
}

export function wireOrExit(config: Config, overrides: Partial<ServiceOverrides> = {}): Promise<Services> {
  return wire(config, overrides).catch(error => exitWithError(explainDatabaseError(error, config)));
}

export function serveMetricsOrExit(services: Services) {
  const { metricsPort: port = 0 } = services.config;
  return serveMetrics(services).catch(error =>
    exitOnListenError(error, { port, host: metricsHost }, 'METRICS_PORT'),
  );
}

export function exitOnListenError(
  error: unknown,
  { port, host }: Pick<Config, 'port' | 'host'>,
  setting = 'PORT',
): never {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    exitWithError(
      `port ${port} is in use, perhaps by the site in another window: stop it there with Ctrl+C, or change ${setting}.`,
    );
  if (code === 'EACCES')
    exitWithError(`permission denied for port ${port}. Set ${setting} to a port above 1023.`);
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code))
    exitWithError(`HOST is '${host}', which is not an address of this machine.`);
  return exitWithError(errorMessage(error));
}

export function explainDatabaseError(error: unknown, { databaseUrl, dataDir }: Config): string {
  const reason = databaseReasons.get((error as NodeJS.ErrnoException).code ?? '') ?? errorMessage(error);
  if (!databaseUrl) return `cannot use the data folder ${dataDir}: ${reason}`;
  const { protocol, host, pathname } = new URL(databaseUrl);
  return `cannot use the database at ${protocol}//${host}${pathname}: ${reason}`;
}

const noPermission = 'permission denied; run this as the user that runs the site';
const databaseReasons = new Map([
  ['EACCES', noPermission],
  ['EPERM', noPermission],
  ['ECONNREFUSED', 'connection refused; is PostgreSQL running?'],
  ['ENOTFOUND', 'host not found'],
]);

/** The first one answers on this machine. */
export function describeUrls({ host, siteUrl }: Pick<Config, 'host' | 'siteUrl'>, port: number): string {
  const url = formatUrl(host, port);
  return siteUrl ? `${url} on this machine, and for visitors at ${siteUrl}` : url;
}

export function formatUrl(host: string, port: number): string {
  const isLocal = host === '127.0.0.1' || host === '0.0.0.0' || host === '::' || host === '::1';
  return `http://${isLocal ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}
