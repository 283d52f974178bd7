import { describe, expect, test } from 'vitest';
import { type Config, type Environment, readConfig } from './config.ts';

const SHEET_URL = 'https://sheets.example/api/1';
const SMTP_URL = 'smtp://mail.example.com';
const NOTIFY_EMAIL = 'office@example.com';
const WEBHOOK_URL = 'https://hooks.example.com/T/B/x';
const key = (fill: number, length = 32) => `whsec_${Buffer.alloc(length, fill).toString('base64')}`;

function read(env: Environment): Config & { newsletter?: unknown } {
  const result = readConfig(env);
  if ('errors' in result) throw new Error(result.errors.join('\n'));
  return result.config;
}

describe('the sheet', () => {
  test('reads all its settings from the environment', () => {
    const env = {
      SHEET_URL,
      SHEET_SHAPE: 'records',
      SHEET_UPSERT: 'airtable',
      SHEET_FIELDS: 'name=Full name, reference = Ref',
      SHEET_AUTH: 'Authorization: Bearer abc.DEF=',
      SHEET_LOOKUP_URL: `${SHEET_URL}?filter={reference}`,
      SHEET_SUCCESS: '200, 201',
      SHEET_SUCCESS_BODY: '"ok"',
      SHEET_RAW: 'off',
      SHEET_RATE: '5',
    };
    expect(read(env).sheet).toEqual({
      kind: 'service',
      url: SHEET_URL,
      adapter: { kind: 'records', upsert: 'airtable' },
      columns: [
        { field: 'name', column: 'Full name' },
        { field: 'reference', column: 'Ref' },
      ],
      auth: { name: 'Authorization', value: 'Bearer abc.DEF=' },
      lookupUrl: `${SHEET_URL}?filter={reference}`,
      success: { statuses: [200, 201], text: '"ok"' },
      isRaw: false,
      perSecond: 5,
    });
  });

  test.each([
    ['', '', { adapter: { kind: 'flat' }, success: { statuses: [200] }, isRaw: true, perSecond: 1 }],
    ['wrapped', '', { adapter: { kind: 'wrapped', key: 'data', isList: true } }],
    ['wrapped', 'sheet1', { adapter: { kind: 'wrapped', key: 'sheet1', isList: false } }],
    ['matrix', '', { adapter: { kind: 'matrix', key: 'values' } }],
    ['matrix', '-', { adapter: { kind: 'matrix', key: undefined } }],
    // A script succeeds only if its response confirms the row.
    ['script', '', { adapter: { kind: 'script' }, success: { statuses: [200], text: '"stored":true' } }],
  ])('has the adapter %s with the wrap "%s"', (SHEET_SHAPE, SHEET_WRAP, expected) => {
    expect(read({ SHEET_URL, SHEET_SHAPE, SHEET_WRAP }).sheet).toMatchObject(expected);
  });
});

describe('mail', () => {
  test('reads all its settings from the environment', () => {
    const env = {
      SITE_URL: 'https://www.example.com',
      SMTP_URL: 'smtps://web%40site:p%2Fss@mail.example.com',
      NOTIFY_EMAIL,
      MAIL_FROM: 'website@exämple.com',
      MAIL_RATE: '2',
    };
    const login = { user: 'web@site', password: 'p/ss' };
    expect(read(env).mail).toEqual({
      smtp: { host: 'mail.example.com', port: 465, encryption: 'tls', login, ownName: 'www.example.com' },
      to: NOTIFY_EMAIL,
      from: 'website@xn--exmple-cua.com',
      perSecond: 2,
      isAcknowledging: false,
    });
  });

  test('has no EHLO name on this machine, and is sent from the notified address', () => {
    const { smtp, from } = read({ SMTP_URL, NOTIFY_EMAIL, SITE_URL: 'http://localhost:3000' }).mail;
    expect(smtp).not.toHaveProperty('ownName');
    expect(from).toBe(NOTIFY_EMAIL);
  });

  test.each([
    [SMTP_URL, { host: 'mail.example.com', port: 587, encryption: 'starttls' }],
    ['smtp://localhost:1025', { host: 'localhost', port: 1025, encryption: 'none' }],
    ['smtp://127.0.0.1.example.com', { host: '127.0.0.1.example.com', port: 587, encryption: 'starttls' }],
  ])('is never sent to another machine unencrypted: %s', (url, expected) =>
    expect(read({ SMTP_URL: url, NOTIFY_EMAIL }).mail.smtp).toEqual(expected),
  );
});

test('the webhook signs with the secret, and with the previous one during a rotation', () => {
  const env = { WEBHOOK_URL, WEBHOOK_SECRET: key(1), WEBHOOK_SECRET_PREVIOUS: key(2), WEBHOOK_RATE: '3' };
  expect(read(env).webhook).toEqual({
    url: WEBHOOK_URL,
    style: 'standard',
    perSecond: 3,
    secrets: [Buffer.alloc(32, 1), Buffer.alloc(32, 2)],
  });
});

test('the webhook has a lower rate and no signature for a chat', () => {
  const expected = { url: WEBHOOK_URL, style: 'teams', perSecond: 1 };
  expect(read({ WEBHOOK_URL, WEBHOOK_STYLE: 'teams' }).webhook).toEqual(expected);
});

test('the newsletter reads all its settings from the environment', () => {
  const limits = { NEWSLETTER_RATE: '1000', NEWSLETTER_MAX_PER_HOUR: '100000' };
  expect(read({ ...limits, NEWSLETTER_WEBHOOK_SECRET: key(7) }).newsletter).toEqual({
    perSecond: 1000,
    maxPerHour: 100_000,
    bounceSecrets: [Buffer.alloc(32, 7)],
  });
});

test.each<Environment>([
  { SHEET_URL: 'http://[::1]:1234/' },
  { DATABASE_URL: 'postgres:///name?host=/run/postgresql' },
  { DATABASE_URL: 'postgres://user:word@db.example.com/name?sslmode=verify-full' },
  { DATABASE_URL: 'postgres://user@10.0.0.7/name?sslmode=disable' },
])('accepts %j', env => expect(readConfig(env)).not.toHaveProperty('errors'));

const sheet = { SHEET_URL };
const smtp = { SMTP_URL, NOTIFY_EMAIL };
const otherMachine = /^DATABASE_URL is at another machine/;

test.each<[Environment, RegExp]>([
  [{ SHEET_AUTH: 'hunter2' }, /^SHEET_AUTH is set, which means nothing without SHEET_URL/],
  [{ SHEET_AUTH_FILE: '/run/hunter2' }, /^SHEET_AUTH is set, which means nothing without SHEET_URL/],
  [{ SHEET_URL: 'http://sheets.example/' }, /^SHEET_URL is /],
  [{ SHEET_URL: 'https://me:hunter2@sheets.example/' }, /^SHEET_URL is /],
  [{ ...sheet, SHEET_FIELDS: 'reference=A,name=A' }, /^SHEET_FIELDS is /],
  [{ ...sheet, SHEET_AUTH: 'Authorization: a\r\nX-Other: b' }, /^SHEET_AUTH is /],
  [{ ...sheet, SHEET_AUTH: 'Host: elsewhere.example' }, /^SHEET_AUTH is /],
  [{ ...sheet, SHEET_LOOKUP_URL: 'https://other.example/{reference}' }, /^SHEET_LOOKUP_URL is /],
  [{ ...sheet, SHEET_SUCCESS: '302' }, /^SHEET_SUCCESS is /],
  [{ ...sheet, SHEET_UPSERT: 'airtable' }, /^SHEET_UPSERT is /],
  [{ SHEET_URL: 'https://sheetdb.io/api/v1/1', SHEET_SHAPE: 'flat' }, /, which needs SHEET_SHAPE=wrapped$/],
  [{ SHEET_URL: 'http://localhost/', SHEET_SHAPE: 'script' }, /^SHEET_SHAPE is script, which needs an https/],
  [{ ...smtp, SMTP_URL: 'smtp://user:hunter2@mail.example.com?secure=false' }, /^SMTP_URL is not shown here/],
  [{ SMTP_URL }, /^SMTP_URL is set, but NOTIFY_EMAIL is not/],
  [{ NOTIFY_EMAIL: 'a@b@c' }, /^NOTIFY_EMAIL is /],
  [{ MAIL_FROM: 'Ann <a@example.com>' }, /^MAIL_FROM is /],
  [{ WEBHOOK_URL }, /^WEBHOOK_URL is set, but WEBHOOK_SECRET is not, .*openssl rand -base64 32/],
  [{ WEBHOOK_URL: 'http://hooks.example.com/hunter2', WEBHOOK_STYLE: 'slack' }, /^WEBHOOK_URL is not shown/],
  [{ WEBHOOK_URL, WEBHOOK_SECRET: key(1, 23) }, /^WEBHOOK_SECRET is not shown here, .*openssl rand/],
  [{ WEBHOOK_SECRET: key(1) }, /^WEBHOOK_SECRET is set, which means nothing without WEBHOOK_URL$/],
  [{ WEBHOOK_URL, WEBHOOK_STYLE: 'slack', WEBHOOK_SECRET: key(1) }, /nothing is signed with WEBHOOK_STYLE/],
  [{ NEWSLETTER_WEBHOOK_SECRET: 'hunter2' }, /^NEWSLETTER_WEBHOOK_SECRET is not shown here, expected whsec_/],
  [{ DATABASE_URL: 'mysql://user:hunter2@db.example.com/name' }, /^DATABASE_URL is not shown here/],
  [{ DATABASE_URL: 'postgres://user:hunter2@db.example.com/name' }, otherMachine],
  [{ DATABASE_URL: 'postgres://user:hunter2@localhost/name?host=db.example.com' }, otherMachine],
  [{ DATABASE_URL: 'postgres://user@db.example.com/name?sslmode=require' }, otherMachine],
  [
    { DATABASE_URL: 'postgres://user@db.example.com/name?sslmode=verify-full&uselibpqcompat=true' },
    otherMachine,
  ],
])('refuses %j in one line that shows no secret', (env, expected) => {
  const result = readConfig(env);
  const errors = 'errors' in result ? result.errors : [];
  expect(errors).toEqual([expect.stringMatching(expected)]);
  expect(errors.join()).not.toContain('hunter2');
});
