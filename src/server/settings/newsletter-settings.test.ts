import { expect, test } from 'vitest';
import { readNewsletterSettings } from './newsletter-settings.ts';
import { createSettingsReader, type Environment } from './settings-reader.ts';

function read(env: Environment) {
  const reader = createSettingsReader(env);
  const settings = readNewsletterSettings(reader);
  return { settings, errors: reader.errors };
}

test('the newsletter settings have defaults: a slow rate, a low hourly limit, and no bounce endpoint', () => {
  expect(read({})).toEqual({ settings: { perSecond: 5, maxPerHour: 200, bounceSecrets: [] }, errors: [] });
});

test('the newsletter settings are all read from the environment', () => {
  const env = {
    NEWSLETTER_RATE: '1000',
    NEWSLETTER_MAX_PER_HOUR: '100000',
    NEWSLETTER_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  };
  expect(read(env)).toEqual({
    settings: { perSecond: 1000, maxPerHour: 100_000, bounceSecrets: [Buffer.alloc(32, 7)] },
    errors: [],
  });
});

test('invalid newsletter settings are reported without showing a secret', () => {
  for (const [rate, maxPerHour] of [
    ['0', '0'],
    ['1001', '100001'],
    ['1.5', 'many'],
  ]) {
    const { errors } = read({
      NEWSLETTER_RATE: rate,
      NEWSLETTER_MAX_PER_HOUR: maxPerHour,
      NEWSLETTER_WEBHOOK_SECRET: 'hunter2',
    });
    expect(errors).toEqual([
      expect.stringMatching(/^NEWSLETTER_WEBHOOK_SECRET is not shown here, expected whsec_/),
      `NEWSLETTER_RATE is '${rate}', expected a whole number of mails per second from 1 to 1000`,
      `NEWSLETTER_MAX_PER_HOUR is '${maxPerHour}', expected a whole number of mails per hour from 1 to 100000`,
    ]);
    expect(errors.join()).not.toContain('hunter2');
  }
});

test('NEWSLETTER_CEILING, the former name of the hourly limit, still works', () => {
  expect(read({ NEWSLETTER_CEILING: '7' }).settings.maxPerHour).toBe(7);
});
