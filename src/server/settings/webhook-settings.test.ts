import { describe, expect, test } from 'vitest';
import { createSettingsReader, type Environment } from './settings-reader.ts';
import { readWebhookSettings } from './webhook-settings.ts';

function read(env: Environment) {
  const reader = createSettingsReader(env);
  const settings = readWebhookSettings(reader);
  return { settings, errors: reader.errors };
}

const WEBHOOK_URL = 'https://hooks.example.com/T/B/x';
const key = (fill: number, length = 32) => `whsec_${Buffer.alloc(length, fill).toString('base64')}`;

describe('the webhook settings', () => {
  test('are undefined without a URL, whatever the format', () => {
    expect(read({})).toEqual({ settings: undefined, errors: [] });
    expect(read({ WEBHOOK_STYLE: 'standard' })).toEqual({ settings: undefined, errors: [] });
  });

  test('sign with the secret, and with the previous one during a rotation', () => {
    const env = { WEBHOOK_URL, WEBHOOK_SECRET: key(1), WEBHOOK_SECRET_PREVIOUS: key(2), WEBHOOK_RATE: '3' };
    expect(read(env)).toEqual({
      settings: {
        url: WEBHOOK_URL,
        style: 'standard',
        perSecond: 3,
        secrets: [Buffer.alloc(32, 1), Buffer.alloc(32, 2)],
      },
      errors: [],
    });
  });

  test.each(['slack', 'teams'] as const)('have a lower rate and no signature for %s', style => {
    const settings = { url: WEBHOOK_URL, style, perSecond: 1 };
    expect(read({ WEBHOOK_URL, WEBHOOK_STYLE: style })).toEqual({ settings, errors: [] });
  });

  test('have a default rate of ten a second', () => {
    expect(read({ WEBHOOK_URL, WEBHOOK_SECRET: key(1) }).settings?.perSecond).toBe(10);
  });

  test.each(['http://127.0.0.1:8080/hook', 'http://localhost/', 'http://[::1]:1/', 'https://10.0.0.1/'])(
    'accept %s',
    url => expect(read({ WEBHOOK_URL: url, WEBHOOK_SECRET: key(1) }).errors).toEqual([]),
  );

  test.each([
    'http://hooks.example.com/hunter2',
    'hooks.example.com/hunter2',
    'https://user:hunter2@example.com/',
    'ftp://x/hunter2',
  ])('refuse %s, and show nothing of it', url => {
    const { errors } = read({ WEBHOOK_URL: url, WEBHOOK_STYLE: 'slack' });
    expect(errors).toEqual([expect.stringMatching(/^WEBHOOK_URL is not shown here, expected/)]);
    expect(errors.join()).not.toContain('hunter2');
  });

  test.each([
    key(1, 23),
    key(1, 65),
    'whsec_',
    'hunter2',
    `whsec_${'*'.repeat(40)}`,
    Buffer.alloc(32).toString('base64'),
  ])('refuse the secret %s, show nothing of it and say how to make one', secret => {
    const { errors } = read({ WEBHOOK_URL, WEBHOOK_SECRET: secret });
    expect(errors).toEqual([
      expect.stringMatching(/^WEBHOOK_SECRET is not shown here, expected .*openssl rand -base64 32/),
    ]);
  });

  test.each<[Environment, RegExp]>([
    [{ WEBHOOK_URL }, /^WEBHOOK_URL is set, but WEBHOOK_SECRET is not, .*openssl rand -base64 32/],
    [{ WEBHOOK_SECRET: key(1) }, /^WEBHOOK_SECRET is set, but WEBHOOK_URL is not$/],
    [
      { WEBHOOK_URL, WEBHOOK_STYLE: 'slack', WEBHOOK_SECRET: key(1) },
      /nothing is signed with WEBHOOK_STYLE=slack$/,
    ],
    [
      { WEBHOOK_URL, WEBHOOK_STYLE: 'teams', WEBHOOK_SECRET_PREVIOUS: key(1) },
      /^WEBHOOK_SECRET_PREVIOUS is set, but WEBHOOK_SECRET is not$/,
    ],
    [{ WEBHOOK_STYLE: 'discord' }, /^WEBHOOK_STYLE is 'discord', expected standard, slack or teams$/],
    [{ WEBHOOK_RATE: '0' }, /^WEBHOOK_RATE is '0', expected a whole number/],
  ])('report what cannot be meant: %j', (env, expected) => {
    expect(read(env).errors).toEqual([expect.stringMatching(expected)]);
  });
});
