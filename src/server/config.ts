import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadEnvFile } from 'node:process';
import type { MailReceiverSettings } from '../deliveries/mail/mail-receiver.ts';
import type { SheetSettings } from '../deliveries/sheet/sheet-settings.ts';
import type { WebhookSettings } from '../deliveries/webhook/webhook-receiver.ts';
import { parseHostName } from '../lib/host-name.ts';
import { type LogLevel, logLevels } from '../lib/log.ts';
import { type AddressRange, parseRange } from './client-address.ts';
import { type Hsts, hstsScopes } from './headers.ts';
import { readDatabaseUrl } from './settings/database-settings.ts';
import { readMailSettings } from './settings/mail-settings.ts';
import { type NewsletterSettings, readNewsletterSettings } from './settings/newsletter-settings.ts';
import {
  createSettingsReader,
  type Environment,
  oneOf,
  safeAddress,
  wholeNumber,
} from './settings/settings-reader.ts';
import { readSheetSettings } from './settings/sheet-settings.ts';
import { readWebhookSettings } from './settings/webhook-settings.ts';

export type { Environment } from './settings/settings-reader.ts';

export type Config = {
  port: number;
  host: string;
  /** An origin, without a trailing slash; absent on a machine that is not public. */
  siteUrl: string | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  /** Below this free space no copies are written as files; 0 disables it. */
  minFreeDiskMb: number;
  drainMs: number;
  maxConnections: number;
  logLevel: LogLevel;
  /** Proxies whose X-Forwarded-For is trusted. */
  trustedProxies: AddressRange[];
  isRateLimited: boolean;
  /** Without one, a generated secret is stored in the database. */
  secret: string | undefined;
  /** For secret rotation: accepted, but not used for new signatures. */
  previousSecret: string | undefined;
  outbox: OutboxMode;
  hsts: Hsts;
  /** Static hosting: the browser posts messages to these services itself. */
  contactEndpoint: string | undefined;
  newsletterEndpoint: string | undefined;
  sheet: SheetSettings;
  mail: MailReceiverSettings;
  webhook: WebhookSettings | undefined;
  newsletter: NewsletterSettings;
  retention: RetentionSettings;
  /** On 127.0.0.1 only; absent, there are no metrics. */
  metricsPort: number | undefined;
  metricsHosts: readonly string[];
};

type OutboxMode = 'in-process' | 'separate';

export type RetentionSettings = { messagesDays: number; quarantineDays: number };

export const defaultRetention: RetentionSettings = { messagesDays: 730, quarantineDays: 90 };

export type ConfigResult = { config: Config } | { errors: string[] };

/** Reports every error at once: name, what was found, what is expected. */
export function readConfig(env: Environment): ConfigResult {
  const reader = createSettingsReader(env);
  const { read, secret, errors } = reader;
  const port = read('PORT', 3000, 'a whole number from 0 to 65535', wholeNumber(65_535));
  const host = read('HOST', '127.0.0.1', 'a host name or address to listen on', hostName);
  const siteUrl = read<string | undefined>(
    'SITE_URL',
    undefined,
    'an address such as https://www.example.com',
    origin,
  );
  const config: Config = {
    port,
    host,
    siteUrl,
    dataDir: read('DATA_DIR', resolve('data'), 'a folder', value => resolve(value)),
    databaseUrl: readDatabaseUrl(reader),
    minFreeDiskMb: read(
      'MIN_FREE_DISK_MB',
      500,
      'a whole number of MB from 0 (no minimum) to 999999999',
      wholeNumber(999_999_999),
    ),
    drainMs: read('DRAIN_MS', 0, 'a whole number of milliseconds from 0 to 300000', wholeNumber(300_000)),
    maxConnections: read(
      'MAX_CONNECTIONS',
      4000,
      'a whole number from 10 to 1000000',
      wholeNumber(1_000_000, 10),
    ),
    logLevel: read('LOG_LEVEL', 'info', logLevels.join(', '), oneOf(...logLevels)),
    trustedProxies: read('TRUSTED_PROXIES', [], 'addresses or ranges such as 127.0.0.1, 10.0.0.0/8', ranges),
    isRateLimited: read<'on' | 'off'>('RATE_LIMIT', 'on', 'on or off', oneOf('on', 'off')) === 'on',
    secret: secret('SECRET', secretShape, longEnough),
    previousSecret: secret('SECRET_PREVIOUS', secretShape, longEnough),
    outbox: read<OutboxMode>('OUTBOX', 'in-process', 'in-process or separate', outboxMode),
    hsts: read<Hsts>('HSTS', 'host', 'host, subdomains or preload', oneOf(...hstsScopes)),
    contactEndpoint: read<string | undefined>('CONTACT_ENDPOINT', undefined, endpointShape, endpoint),
    newsletterEndpoint: read<string | undefined>('NEWSLETTER_ENDPOINT', undefined, endpointShape, endpoint),
    sheet: readSheetSettings(reader),
    mail: readMailSettings(reader, { siteUrl }),
    webhook: readWebhookSettings(reader),
    newsletter: readNewsletterSettings(reader),
    retention: {
      messagesDays: read('KEEP_MESSAGES_DAYS', defaultRetention.messagesDays, daysShape, wholeNumber(36_500)),
      quarantineDays: read(
        'KEEP_QUARANTINE_DAYS',
        defaultRetention.quarantineDays,
        daysShape,
        wholeNumber(36_500),
      ),
    },
    metricsPort: read<number | undefined>(
      'METRICS_PORT',
      undefined,
      'a whole number from 0 to 65535',
      wholeNumber(65_535),
    ),
    metricsHosts: read<readonly string[]>(
      'METRICS_HOSTS',
      [],
      'host names such as metrics.example.com',
      hostNames,
    ),
  };
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
  if (config.previousSecret && !config.secret) reader.addError('SECRET_PREVIOUS is set without SECRET');
  return errors.length > 0 ? { errors } : { config };
}

export function processEnvironment(): Environment {
  if (existsSync('.env')) loadEnvFile('.env');
  return process.env;
}

/** Vite and React read NODE_ENV; the build is always for production. */
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

/** The spellings of version 0.1.0, for one release. */
const formerOutboxModes: Record<string, OutboxMode> = { inside: 'in-process', apart: 'separate' };

function outboxMode(value: string): OutboxMode | undefined {
  return formerOutboxModes[value] ?? oneOf('in-process', 'separate')(value);
}

function hostName(value: string): string | undefined {
  return /^[A-Za-z0-9.:_-]{1,253}$/.test(value) ? value : undefined;
}

function origin(value: string): string | undefined {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  return url.pathname === '/' && !url.search && !url.hash ? url.origin : undefined;
}

const daysShape = 'a whole number of days from 0 (for ever) to 36500';

const secretShape = 'at least 32 characters; make one with: openssl rand -base64 32';

function longEnough(value: string): string | undefined {
  return value.length >= 32 ? value : undefined;
}

function hostNames(value: string): string[] | undefined {
  const names = value
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(parseHostName);
  return names.every(name => name !== undefined) ? names : undefined;
}

function ranges(value: string): AddressRange[] | undefined {
  const parsed = value
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(parseRange);
  return parsed.every(range => range !== undefined) ? parsed : undefined;
}

const endpointShape = 'an https address such as https://sheets.example.com/api/1';

function endpoint(value: string): string | undefined {
  const url = safeAddress(value);
  return url?.hash ? undefined : url?.href;
}
