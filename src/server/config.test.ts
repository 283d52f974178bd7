import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { root } from '../../tests/harness/site.ts';
import { type Config, type Environment, readConfig } from './config.ts';

const defaults: Config = {
  port: 3000,
  host: '127.0.0.1',
  siteUrl: undefined,
  dataDir: resolve('data'),
  databaseUrl: undefined,
  minFreeDiskMb: 500,
  drainMs: 0,
  maxConnections: 4000,
  logLevel: 'info',
  trustedProxies: [],
  isRateLimited: true,
  secret: undefined,
  previousSecret: undefined,
  outbox: 'in-process',
  isAcknowledging: false,
  isAutoPublished: true,
  hsts: 'host',
  contactEndpoint: undefined,
  newsletterEndpoint: undefined,
  sheet: { kind: 'file' },
  mail: { smtp: undefined, to: 'owner@localhost', from: 'website@localhost', perSecond: 5 },
  webhook: undefined,
  newsletter: { perSecond: 5, maxPerHour: 200, bounceSecrets: [] },
  audit: { isOn: true, deny: [], resolvers: [] },
  retention: { messagesDays: 730, quarantineDays: 90 },
  metricsPort: undefined,
  metricsHosts: [],
};

describe('the configuration', () => {
  test('has a default for every setting', () => {
    expect(readConfig({})).toEqual({ config: defaults });
  });

  test('reads every setting from the environment', () => {
    const env = {
      PORT: '0',
      HOST: '::1',
      SITE_URL: 'https://www.example.com',
      DATA_DIR: '/srv/data',
      DATABASE_URL: 'postgresql://user:secret@db.example.com:5432/name?sslmode=verify-full',
      MIN_FREE_DISK_MB: '0',
      DRAIN_MS: '5000',
      MAX_CONNECTIONS: '100',
      LOG_LEVEL: 'debug',
      TRUSTED_PROXIES: '127.0.0.1, fd00::/8',
      RATE_LIMIT: 'off',
      SECRET: 's'.repeat(32),
      SECRET_PREVIOUS: 'p'.repeat(32),
      OUTBOX: 'separate',
      CONTACT_ENDPOINT: 'https://sheets.example.com/api/1',
      NEWSLETTER_ENDPOINT: 'http://127.0.0.1:8080/letters',
    };
    expect(readConfig(env)).toEqual({
      config: {
        ...defaults,
        port: 0,
        host: '::1',
        siteUrl: 'https://www.example.com',
        dataDir: '/srv/data',
        databaseUrl: env.DATABASE_URL,
        minFreeDiskMb: 0,
        drainMs: 5000,
        maxConnections: 100,
        logLevel: 'debug',
        trustedProxies: [
          { ip: '127.0.0.1', prefix: 32, family: 'ipv4' },
          { ip: 'fd00::', prefix: 8, family: 'ipv6' },
        ],
        isRateLimited: false,
        secret: env.SECRET,
        previousSecret: env.SECRET_PREVIOUS,
        outbox: 'separate',
        contactEndpoint: env.CONTACT_ENDPOINT,
        newsletterEndpoint: env.NEWSLETTER_ENDPOINT,
      },
    });
  });

  test('counts a blank value as unset', () => {
    const blank = Object.fromEntries(namesRead().map((name, index) => [name, index % 2 ? '' : ' \t']));
    expect(readConfig(blank)).toEqual({ config: defaults });
  });

  test('reports every error at once: name, what was found, what is expected', () => {
    const errors = readErrors({
      PORT: '65536',
      HOST: 'my host',
      SITE_URL: 'www.example.com',
      DATABASE_URL: 'mysql://db.example.com/name',
      MIN_FREE_DISK_MB: '-1',
      DRAIN_MS: '1.5',
      MAX_CONNECTIONS: '9',
      LOG_LEVEL: 'loud',
      TRUSTED_PROXIES: '10.0.0.0/33',
      SECRET: 'too short',
      OUTBOX: 'somewhere',
      CONTACT_ENDPOINT: 'http://sheets.example.com/',
    });
    expect(errors).toEqual([
      expect.stringMatching(/^DATABASE_URL is not shown here, expected an address such as postgres:/),
      "PORT is '65536', expected a whole number from 0 to 65535",
      "HOST is 'my host', expected a host name or address to listen on",
      "SITE_URL is 'www.example.com', expected an address such as https://www.example.com",
      "MIN_FREE_DISK_MB is '-1', expected a whole number of MB from 0 (no minimum) to 999999999",
      "DRAIN_MS is '1.5', expected a whole number of milliseconds from 0 to 300000",
      "MAX_CONNECTIONS is '9', expected a whole number from 10 to 1000000",
      "LOG_LEVEL is 'loud', expected debug, info, warn or error",
      "TRUSTED_PROXIES is '10.0.0.0/33', expected addresses or ranges such as 127.0.0.1, 10.0.0.0/8",
      'SECRET is not shown here, expected at least 32 characters; make one with: openssl rand -base64 32',
      "OUTBOX is 'somewhere', expected in-process or separate",
      expect.stringMatching(/^CONTACT_ENDPOINT is 'http:.*', expected an https address/),
    ]);
  });

  test.each([
    [{ NEWSLETTER_ENDPOINT: 'https://a.example/' }, /NEWSLETTER_ENDPOINT .* without CONTACT_ENDPOINT/],
    [{ OUTBOX: 'separate' }, /OUTBOX is separate without DATABASE_URL/],
    [{ OUTBOX: 'apart' }, /OUTBOX is separate without DATABASE_URL/],
    [{ METRICS_PORT: '3000' }, /METRICS_PORT is 3000, the same as PORT/],
    [{ SECRET_PREVIOUS: 'p'.repeat(32) }, /SECRET_PREVIOUS .* without SECRET/],
    [{ SECRET: 's'.repeat(32), SECRET_FILE: '/run/secret' }, /SECRET and SECRET_FILE are both set/],
    [{ SECRET_FILE: '/nowhere/at/all' }, /SECRET_FILE is '\/nowhere\/at\/all', which cannot be read/],
  ])('refuses %j', (env, said) =>
    expect(readErrors(env as Environment)).toEqual([expect.stringMatching(said)]),
  );

  test('reads a secret from a file, without its last line ending', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'wardhouse-secret-')), 'secret');
    writeFileSync(file, `${'s'.repeat(32)}\n`);
    expect(settingOf({ SECRET_FILE: file }, 'secret')).toBe('s'.repeat(32));
    rmSync(dirname(file), { recursive: true });
  });

  test.each([
    ['https://www.example.com/', 'https://www.example.com'],
    ['HTTPS://WWW.Example.com:443', 'https://www.example.com'],
    ['http://localhost:3000/', 'http://localhost:3000'],
  ])('reads the site address %s as %s', (written, read) => {
    expect(settingOf({ SITE_URL: written }, 'siteUrl')).toBe(read);
  });

  test.each(['https://www.example.com/shop', 'https://user:word@www.example.com', 'ftp://www.example.com'])(
    'refuses the site address %s',
    address => {
      expect(readErrors({ SITE_URL: address })).toHaveLength(1);
    },
  );
});

describe('.env.example', () => {
  const example = parseEnv(readFileSync(resolve(root, '.env.example'), 'utf8'));

  test('lists exactly the settings that are read', () => {
    expect(Object.keys(example).sort()).toEqual(namesRead().sort());
  });

  test('shows the real defaults', () => {
    expect(readConfig(example as Environment)).toEqual(readConfig({}));
  });

  test('explains every setting', () => {
    const text = readFileSync(resolve(root, '.env.example'), 'utf8');
    for (const name of namesRead()) expect(text).toMatch(new RegExp(`^# .+\\n${name}=`, 'm'));
  });
});

/** The names that readConfig asks the environment for. */
function namesRead(): string[] {
  const names = new Set<string>();
  readConfig(
    new Proxy<Environment>(
      {},
      {
        get(_, name) {
          names.add(String(name));
          return undefined;
        },
      },
    ),
  );
  // The former name of a setting is read for one release, and not documented.
  names.delete('NEWSLETTER_CEILING');
  return [...names];
}

function settingOf<Name extends keyof Config>(env: Environment, name: Name): Config[Name] {
  const result = readConfig(env);
  if ('errors' in result) throw new Error(result.errors.join('\n'));
  return result.config[name];
}

function readErrors(env: Environment): string[] {
  const result = readConfig(env);
  return 'errors' in result ? result.errors : [];
}
