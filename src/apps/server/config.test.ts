import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { root } from '../../../tests/harness/site.ts';
import { createTempFolder } from '../../../tests/harness/temp-folder.ts';
import { formatExample } from '../../core/settings/define-settings.ts';
import { allSettings, type Environment, readConfig } from './config.ts';

describe('the configuration', () => {
  test('is read from the environment: numbers, choices, lists and addresses', () => {
    const env = {
      PORT: '0',
      MIN_FREE_DISK_MB: '0',
      DRAIN_MS: '5000',
      MAX_CONNECTIONS: '100',
      LOG_LEVEL: 'debug',
      RATE_LIMIT: 'off',
      OUTBOX: 'separate',
      TRUSTED_PROXIES: '127.0.0.1, fd00::/8',
      DATABASE_URL: 'postgresql://user:secret@db.example.com:5432/name?sslmode=verify-full',
      SITE_URL: 'HTTPS://WWW.Example.com:443',
      CONTACT_ENDPOINT: 'https://sheets.example.com/api/1',
      NEWSLETTER_ENDPOINT: 'http://127.0.0.1:8080/letters',
    };
    expect(readConfig(env)).toMatchObject({
      config: {
        port: 0,
        minFreeDiskMb: 0,
        drainMs: 5000,
        maxConnections: 100,
        logLevel: 'debug',
        isRateLimited: false,
        outbox: 'separate',
        databaseUrl: env.DATABASE_URL,
        trustedProxies: [
          { ip: '127.0.0.1', prefix: 32, family: 'ipv4' },
          { ip: 'fd00::', prefix: 8, family: 'ipv6' },
        ],
        siteUrl: 'https://www.example.com',
        contactEndpoint: env.CONTACT_ENDPOINT,
        newsletterEndpoint: env.NEWSLETTER_ENDPOINT,
      },
    });
  });

  test('reports every error at once: name, what was found, what is expected', () => {
    const env = { PORT: '65536', HOST: 'my host', DRAIN_MS: '1.5', LOG_LEVEL: 'loud', SECRET: 'too short' };
    expect(readErrors({ ...env, CONTACT_ENDPOINT: 'http://sheets.example.com/' })).toEqual([
      "PORT is '65536', expected a whole number from 0 to 65535",
      "HOST is 'my host', expected a host name or address to listen on",
      "DRAIN_MS is '1.5', expected a whole number of milliseconds from 0 to 300000",
      "LOG_LEVEL is 'loud', expected debug, info, warn or error",
      'SECRET is not shown here, expected at least 32 characters; make one with: openssl rand -base64 32',
      expect.stringMatching(/^CONTACT_ENDPOINT is 'http:.*', expected an https address/),
    ]);
  });

  test.each([
    [{ NEWSLETTER_ENDPOINT: 'https://a.example/' }, /NEWSLETTER_ENDPOINT .* without CONTACT_ENDPOINT/],
    [{ SITE_URL: 'https://www.example.com/shop' }, /^SITE_URL is /],
    [{ SITE_URL: 'https://user:word@www.example.com' }, /^SITE_URL is /],
    [{ OUTBOX: 'separate' }, /OUTBOX is separate without DATABASE_URL/],
    [{ METRICS_PORT: '3000' }, /METRICS_PORT is 3000, the same as PORT/],
    [{ SECRET_PREVIOUS: 'p'.repeat(32) }, /SECRET_PREVIOUS .* without SECRET/],
    [{ SECRET: 's'.repeat(32), SECRET_FILE: '/run/secret' }, /SECRET and SECRET_FILE are both set/],
    [{ SECRET_FILE: '/nowhere/at/all' }, /SECRET_FILE is '\/nowhere\/at\/all', which cannot be read/],
  ])('refuses %j', (env, said) =>
    expect(readErrors(env as Environment)).toEqual([expect.stringMatching(said)]),
  );

  test('reads a secret from a file, without its last line ending', () => {
    const file = join(createTempFolder(), 'secret');
    writeFileSync(file, `${'s'.repeat(32)}\n`);
    expect(readConfig({ SECRET_FILE: file })).toMatchObject({ config: { secret: 's'.repeat(32) } });
  });
});

describe('.env.example', () => {
  const text = formatExample(allSettings);
  const example = parseEnv(text);

  test('is written from the settings: npm run test:watch -- run config.test -u', () =>
    expect(text).toMatchFileSnapshot(resolve(root, '.env.example')));

  test('lists and explains exactly the settings that are read, with their real defaults', () => {
    expect(Object.keys(example).sort()).toEqual(namesRead().sort());
    for (const name of namesRead()) expect(text).toMatch(new RegExp(`^# .+\\n${name}=`, 'm'));
    expect(readConfig(example as Environment)).toEqual(readConfig({}));
  });
});

/** The names that readConfig asks the environment for. */
function namesRead(): string[] {
  const names = new Set<string>();
  const get = (_: Environment, name: string | symbol) => void names.add(String(name));
  readConfig(new Proxy<Environment>({}, { get }));
  return [...names];
}

function readErrors(env: Environment): string[] {
  const result = readConfig(env);
  return 'errors' in result ? result.errors : [];
}
