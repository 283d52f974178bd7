import { parseHostName } from '../../lib/host-name.ts';
import { parseRange } from '../http/client-ip.ts';
import { hstsScopes } from '../http/headers.ts';
import { logLevels } from '../log.ts';
import { defineSettings } from './define-settings.ts';
import { choice, listOf, matching, onOff, parsedBy, parseSecureUrl, wholeNumber } from './schemas.ts';

const port = wholeNumber({ max: 65_535 });
const secret = matching(/^.{32,}$/s, 'at least 32 characters; make one with: openssl rand -base64 32');

export const serverSettings = defineSettings(
  {
    PORT: { schema: port, default: '3000', about: 'Port to listen on. 0: any free one.' },
    HOST: {
      schema: matching(/^[A-Za-z0-9.:_-]{1,253}$/, 'a host name or address to listen on'),
      default: '127.0.0.1',
      about: 'Address to listen on. 127.0.0.1 is this machine only; 0.0.0.0 is every interface.',
    },
    SITE_URL: {
      schema: parsedBy(parseOrigin, 'an address such as https://www.example.com'),
      about: `The public URL of the site, without a path. It is part of the pages, so a change rebuilds the site.
        If set, requests for another host get 421, except /healthz and /readyz: a proxy in front must pass
        the visitor's Host on. If unset, pages have no absolute URLs and any host is answered.`,
    },
    AUTO_PUBLISH: {
      schema: onOff,
      default: 'on',
      about: `on: a post with a date is published on its day, with everything that is in content/ then. off: npm
        run publish-site does it.`,
    },
    HSTS: {
      schema: choice(...hstsScopes),
      default: 'host',
      about: `Strict-Transport-Security for two years, if SITE_URL is https: host (this name), subdomains (all of
        them must use HTTPS), or preload (allows entry into the browsers' list, which takes months to
        leave). Take one step at a time.`,
    },
    DRAIN_MS: {
      schema: wholeNumber({ max: 300_000, unit: 'milliseconds' }),
      default: '0',
      about: 'Milliseconds to keep accepting requests after SIGTERM, while /readyz already answers 503.',
    },
    MAX_CONNECTIONS: {
      schema: wholeNumber({ min: 10, max: 1_000_000 }),
      default: '4000',
      about: `Maximum number of connections, about 15 KB of memory each. Near the limit idle and very slow ones
        are closed; beyond it new ones are refused. Keep it below the limit of open files (ulimit -n).`,
    },
    LOG_LEVEL: {
      schema: choice(...logLevels),
      default: 'info',
      about: 'debug (every request), info (API calls and errors), warn or error.',
    },
    TRUSTED_PROXIES: {
      schema: listOf(parseRange, 'addresses or ranges such as 127.0.0.1, 10.0.0.0/8'),
      default: '',
      about: `Addresses or ranges of the proxies in front, such as 127.0.0.1, 10.0.0.0/8. X-Forwarded-For is
        trusted only from them; the rate limit needs it to tell visitors apart.`,
    },
    RATE_LIMIT: {
      schema: onOff,
      default: 'on',
      about: `on: limits by network, and a flood is noticed (docs/engineer/operations.md). off: no limits, for
        benchmarks.`,
    },
    SECRET: {
      secret,
      about: `At least 32 random characters from which keys are derived. Unset: generated once and stored in the
        database.`,
    },
    SECRET_PREVIOUS: {
      secret,
      needs: 'SECRET',
      about: 'The previous SECRET: what was signed with it stays valid.',
    },
    METRICS_PORT: {
      schema: port,
      about: `Port on 127.0.0.1 for Prometheus metrics (docs/engineer/operations.md). 0: any free one. Unset: no
        metrics. Each process, also a worker, needs its own.`,
    },
    METRICS_HOSTS: {
      schema: listOf(parseHostName, 'host names such as metrics.example.com'),
      default: '',
      about: `Host names, besides IP addresses and localhost, that the metrics port answers for. Another Host gets 421.`,
    },
    MIN_FREE_DISK_MB: {
      schema: wholeNumber({ max: 999_999_999, unit: 'MB', zero: 'no minimum' }),
      default: '500',
      about: `Free space on the disk of DATA_DIR, in MB, below which messages.csv and mails as files are no longer
        written. Messages are still stored, and the files are written when there is space again. 0: no
        limit.`,
    },
    OUTBOX: {
      schema: choice('in-process', 'separate'),
      default: 'in-process',
      about: `in-process: this server delivers what it stores. separate: it only stores, and npm run worker
        delivers (PostgreSQL only).`,
    },
  },
  (values, { addError }) => {
    const { PORT, METRICS_PORT } = values;
    if (METRICS_PORT && METRICS_PORT === PORT)
      addError('METRICS_PORT', `METRICS_PORT is ${PORT}, the same as PORT: metrics need a port of their own`);
    return {
      port: PORT,
      host: values.HOST,
      siteUrl: values.SITE_URL,
      isAutoPublished: values.AUTO_PUBLISH,
      hsts: values.HSTS,
      drainMs: values.DRAIN_MS,
      maxConnections: values.MAX_CONNECTIONS,
      logLevel: values.LOG_LEVEL,
      trustedProxies: values.TRUSTED_PROXIES,
      isRateLimited: values.RATE_LIMIT,
      secret: values.SECRET,
      previousSecret: values.SECRET_PREVIOUS,
      metricsPort: METRICS_PORT,
      metricsHosts: values.METRICS_HOSTS,
      minFreeDiskMb: values.MIN_FREE_DISK_MB,
      outbox: values.OUTBOX,
    };
  },
);

const days = wholeNumber({ max: 36_500, unit: 'days', zero: 'for ever' });

export const retentionSettings = defineSettings(
  {
    KEEP_MESSAGES_DAYS: {
      schema: days,
      default: '730',
      about: `Days after which messages are deleted from the database, messages.csv and data/mail; 0: never. The
        privacy page states the period, so a change rebuilds the site.`,
    },
    KEEP_QUARANTINE_DAYS: {
      schema: days,
      default: '90',
      about: 'The same for quarantined messages and spam.',
    },
  },
  values => ({ messagesDays: values.KEEP_MESSAGES_DAYS, quarantineDays: values.KEEP_QUARANTINE_DAYS }),
);

export const defaultRetention = retentionSettings.read({}, []);

const endpoint = parsedBy(parseEndpoint, 'an https address such as https://sheets.example.com/api/1');

export const staticHostSettings = defineSettings(
  {
    CONTACT_ENDPOINT: {
      schema: endpoint,
      about: `At build: the sheet service to which the browser posts messages (docs/engineer/static-hosting.md). A
        site with a server needs none. A change rebuilds the site.`,
    },
    NEWSLETTER_ENDPOINT: {
      schema: endpoint,
      needs: 'CONTACT_ENDPOINT',
      about: 'The same for the newsletter forms; without it they become a mailto link.',
    },
  },
  values => ({ contactEndpoint: values.CONTACT_ENDPOINT, newsletterEndpoint: values.NEWSLETTER_ENDPOINT }),
);

function parseOrigin(value: string): string | undefined {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  return url.pathname === '/' && !url.search && !url.hash ? url.origin : undefined;
}

function parseEndpoint(value: string): string | undefined {
  const url = parseSecureUrl(value);
  return url?.hash ? undefined : url?.href;
}
