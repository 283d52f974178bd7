import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadEnvFile } from 'node:process';
import { parseHostName } from '../lib/host-name.ts';
import { logLevels } from '../lib/log.ts';
import { parseRange } from './client-ip.ts';
import { hstsScopes } from './headers.ts';
import { readAuditSettings } from './settings/audit-settings.ts';
import { readDatabaseUrl } from './settings/database-settings.ts';
import { readMailSettings } from './settings/mail-settings.ts';
import { readNewsletterSettings } from './settings/newsletter-settings.ts';
import {
  createSettingsReader,
  type Environment,
  listOf,
  matching,
  parseSecureUrl,
  type SettingsReader,
  wholeNumber,
} from './settings/settings-reader.ts';
import { readSheetSettings } from './settings/sheet-settings.ts';
import { readWebhookSettings } from './settings/webhook-settings.ts';

export type { Environment } from './settings/settings-reader.ts';

export type Config = ReturnType<typeof readAll>['config'];

export const defaultRetention = { messagesDays: 730, quarantineDays: 90 };

export function readConfig(env: Environment): { config: Config } | { errors: string[] } {
  const { config, databaseErrors, otherErrors } = readAll(env);
  const errors = [...databaseErrors, ...otherErrors];
  return errors.length > 0 ? { errors } : { config };
}

/** For commands that need the database alone: what else is wrong is a warning, and has its default meanwhile. */
export function readDatabaseConfig(
  env: Environment,
): { config: Config; warnings: string[] } | { errors: string[] } {
  const { config, databaseErrors, otherErrors } = readAll(env);
  return databaseErrors.length > 0 ? { errors: databaseErrors } : { config, warnings: otherErrors };
}

function readAll(env: Environment) {
  const [database, reader] = [createSettingsReader(env), createSettingsReader(env)];
  const config = { ...readDatabaseSettings(database), ...readSettings(reader) };
  if (config.newsletterEndpoint && !config.contactEndpoint) {
    reader.addError(
      'NEWSLETTER_ENDPOINT is set without CONTACT_ENDPOINT: a site with a server needs neither',
    );
  }
  if (config.outbox === 'separate' && !config.databaseUrl) {
    reader.addError(
      'OUTBOX is separate without DATABASE_URL: no other process can deliver from the embedded database',
    );
  }
  if (config.metricsPort && config.metricsPort === config.port) {
    reader.addError(`METRICS_PORT is ${config.port}, the same as PORT: metrics need a port of their own`);
  }
  if (config.isAcknowledging && !reader.isSecretSet('SMTP_URL')) {
    reader.addError('ACKNOWLEDGEMENT is on, but SMTP_URL is not set: it is the mail server that sends it');
  }
  if (config.previousSecret && !config.secret) reader.addError('SECRET_PREVIOUS is set without SECRET');
  return { config, databaseErrors: database.errors, otherErrors: reader.errors };
}

function readDatabaseSettings(reader: SettingsReader) {
  return {
    dataDir: reader.read('DATA_DIR', 'a folder', value => resolve(value)) ?? resolve('data'),
    databaseUrl: readDatabaseUrl(reader),
  };
}

function readSettings(reader: SettingsReader) {
  const { read, choice, number, secret } = reader;
  const port = number('PORT', 3000, { max: 65_535 });
  const host = read('HOST', 'a host name or address to listen on', hostName) ?? '127.0.0.1';
  const siteUrl = read('SITE_URL', 'an address such as https://www.example.com', origin);
  return {
    port,
    host,
    siteUrl,
    minFreeDiskMb: number('MIN_FREE_DISK_MB', 500, { max: 999_999_999, unit: 'MB', zero: 'no minimum' }),
    drainMs: number('DRAIN_MS', 0, { max: 300_000, unit: 'milliseconds' }),
    maxConnections: number('MAX_CONNECTIONS', 4000, { min: 10, max: 1_000_000 }),
    logLevel: choice('LOG_LEVEL', 'info', logLevels),
    trustedProxies:
      read('TRUSTED_PROXIES', 'addresses or ranges such as 127.0.0.1, 10.0.0.0/8', listOf(parseRange)) ?? [],
    isRateLimited: choice('RATE_LIMIT', 'on', ['on', 'off']) === 'on',
    secret: secret('SECRET', secretFormat, minLength32),
    previousSecret: secret('SECRET_PREVIOUS', secretFormat, minLength32),
    outbox: read('OUTBOX', 'in-process or separate', value => outboxModes.get(value)) ?? 'in-process',
    isAcknowledging: choice('ACKNOWLEDGEMENT', 'off', ['on', 'off']) === 'on',
    isAutoPublished: choice('AUTO_PUBLISH', 'on', ['on', 'off']) === 'on',
    hsts: choice('HSTS', 'host', hstsScopes),
    contactEndpoint: read('CONTACT_ENDPOINT', endpointShape, endpoint),
    newsletterEndpoint: read('NEWSLETTER_ENDPOINT', endpointShape, endpoint),
    sheet: readSheetSettings(reader),
    mail: readMailSettings(reader, siteUrl),
    webhook: readWebhookSettings(reader),
    newsletter: readNewsletterSettings(reader),
    audit: readAuditSettings(reader),
    retention: {
      messagesDays: number('KEEP_MESSAGES_DAYS', defaultRetention.messagesDays, days),
      quarantineDays: number('KEEP_QUARANTINE_DAYS', defaultRetention.quarantineDays, days),
    },
    metricsPort: read('METRICS_PORT', 'a whole number from 0 to 65535', wholeNumber(65_535)),
    metricsHosts:
      read('METRICS_HOSTS', 'host names such as metrics.example.com', listOf(parseHostName)) ?? [],
  };
}

export function loadEnvironment(): Environment {
  if (existsSync('.env')) loadEnvFile('.env');
  return process.env;
}

/** For a process that reads what strangers send: none of our settings and secrets. */
export function listNeutralEnvironment(): Environment {
  const { NODE_EXTRA_CA_CERTS, SystemRoot } = process.env;
  return { ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }), ...(SystemRoot && { SystemRoot }) };
}

export async function withProductionEnv<T>(work: () => Promise<T>): Promise<T> {
  const { NODE_ENV: before } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}

/** `inside` and `apart` are the spellings of version 0.1.0, for one release. */
const outboxModes = new Map<string, 'in-process' | 'separate'>([
  ['in-process', 'in-process'],
  ['separate', 'separate'],
  ['inside', 'in-process'],
  ['apart', 'separate'],
]);

const hostName = matching(/^[A-Za-z0-9.:_-]{1,253}$/);

function origin(value: string): string | undefined {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  return url.pathname === '/' && !url.search && !url.hash ? url.origin : undefined;
}

const days = { max: 36_500, unit: 'days', zero: 'for ever' };

const secretFormat = 'at least 32 characters; make one with: openssl rand -base64 32';

const minLength32 = matching(/^.{32,}$/s);

const endpointShape = 'an https address such as https://sheets.example.com/api/1';

function endpoint(value: string): string | undefined {
  const url = parseSecureUrl(value);
  return url?.hash ? undefined : url?.href;
}
