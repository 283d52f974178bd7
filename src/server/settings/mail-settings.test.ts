import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readMailSettings } from './mail-settings.ts';
import { createSettingsReader, type Environment } from './settings-reader.ts';

function read(env: Environment, siteUrl?: string) {
  const reader = createSettingsReader(env);
  const settings = readMailSettings(reader, { siteUrl });
  return { settings, errors: reader.errors };
}

const NOTIFY_EMAIL = 'office@example.com';
const smtpOf = (SMTP_URL: string) => {
  const { settings, errors } = read({ SMTP_URL, NOTIFY_EMAIL });
  expect(errors).toEqual([]);
  return settings.smtp;
};

describe('the mail settings', () => {
  test('have defaults: mails are written to files', () => {
    expect(read({})).toEqual({
      settings: { smtp: undefined, to: 'owner@localhost', from: 'website@localhost', perSecond: 5 },
      errors: [],
    });
  });

  test('are all read from the environment', () => {
    const env = {
      SMTP_URL: 'smtps://web%40site:p%2Fss@mail.example.com',
      NOTIFY_EMAIL,
      MAIL_FROM: 'website@exämple.com',
      MAIL_RATE: '2',
    };
    expect(read(env, 'https://www.example.com')).toEqual({
      settings: {
        smtp: {
          host: 'mail.example.com',
          port: 465,
          encryption: 'tls',
          login: { user: 'web@site', password: 'p/ss' },
          ownName: 'www.example.com',
        },
        to: 'office@example.com',
        from: 'website@xn--exmple-cua.com',
        perSecond: 2,
      },
      errors: [],
    });
  });

  test('send from the notified address by default', () => {
    expect(read({ NOTIFY_EMAIL }).settings).toMatchObject({ to: NOTIFY_EMAIL, from: NOTIFY_EMAIL });
  });

  test("read the server's URL with its password from a file", () => {
    const folder = mkdtempSync(join(tmpdir(), 'wardhouse-'));
    const file = join(folder, 'smtp');
    writeFileSync(file, 'smtp://user:secret@mail.example.com\n');
    const { settings, errors } = read({ SMTP_URL_FILE: file, NOTIFY_EMAIL });
    expect(errors).toEqual([]);
    expect(settings.smtp?.login).toEqual({ user: 'user', password: 'secret' });
    rmSync(folder, { recursive: true });
  });

  test.each(['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]', undefined])(
    'have no EHLO name for %s',
    siteUrl => {
      const { settings } = read({ SMTP_URL: 'smtp://mail.example.com', NOTIFY_EMAIL }, siteUrl);
      expect(settings.smtp).not.toHaveProperty('ownName');
    },
  );

  test.each([
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, encryption: 'starttls' }],
    ['smtp://mail.example.com:25/', { host: 'mail.example.com', port: 25, encryption: 'starttls' }],
    ['smtp://localhost:1025', { host: 'localhost', port: 1025, encryption: 'none' }],
    ['smtp://127.0.0.1:1025', { host: '127.0.0.1', port: 1025, encryption: 'none' }],
    ['smtp://[::1]:1025', { host: '::1', port: 1025, encryption: 'none' }],
    ['smtp://127.0.0.1.example.com', { host: '127.0.0.1.example.com', port: 587, encryption: 'starttls' }],
    ['smtps://localhost', { host: 'localhost', port: 465, encryption: 'tls' }],
  ])('never leave the way to another machine unencrypted: %s', (url, expected) => {
    expect(smtpOf(url)).toEqual(expected);
  });

  test.each([
    'mail.example.com',
    'https://mail.example.com',
    'smtp://',
    'smtp://user@mail.example.com',
    'smtp://:hunter2@mail.example.com',
    'smtp://user:%zzhunter2@mail.example.com',
    'smtp://user:hunter2@mail.example.com/path',
    'smtp://user:hunter2@mail.example.com?secure=false',
    'smtp://user:hunter2@mail example.com',
  ])('refuse %s, and show nothing of it', SMTP_URL => {
    const { errors } = read({ SMTP_URL, NOTIFY_EMAIL });
    expect(errors).toEqual([
      expect.stringMatching(/^SMTP_URL is not shown here, expected an address such as/),
    ]);
    expect(errors.join()).not.toContain('hunter2');
  });

  test.each([
    'office',
    'a@b@c',
    'a b@example.com',
    'a@example.com, b@example.com',
    'Ann <a@example.com>',
    'a@b,c.example',
  ])('take %j for no address', address => {
    const { errors } = read({ NOTIFY_EMAIL: address, MAIL_FROM: address });
    expect(errors.map(line => line.split(' ')[0])).toEqual(['NOTIFY_EMAIL', 'MAIL_FROM']);
  });

  test('reject a server without a recipient, and a rate of zero', () => {
    const { errors } = read({ SMTP_URL: 'smtp://mail.example.com', MAIL_RATE: '0' });
    expect(errors).toEqual([
      'SMTP_URL is set, but NOTIFY_EMAIL is not: it is the recipient of each notification',
      "MAIL_RATE is '0', expected a whole number of mails per second from 1 to 1000",
    ]);
  });
});
