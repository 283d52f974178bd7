import { expect, test } from 'vitest';
import { readView, type ToldView } from './read-view.ts';

const pages = ['/', '/contact'];
const site = { isPage: (path: string) => pages.includes(path), ownHosts: ['www.example.com', '127.0.0.1'] };
const told: ToldView = { kind: 'view', path: '/', referrer: '', source: '', medium: '', campaign: '' };
const read = (some: Partial<ToldView>) => readView({ ...told, ...some }, site);

test.each([
  ['/contact', '/contact'],
  ['/contact/', '/404'],
  ['/wp-login.php', '/404'],
  ['__proto__', '/404'],
  ['', '/404'],
])('the page %j is counted as %s', (path, kept) => expect(read({ path })?.path).toBe(kept));

test.each([
  ['search.example', 'search.example'],
  ['WWW.Search.Example:8443', 'search.example'],
  ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
  ['com.google.android.gm', 'com.google.android.gm'],
  ['www.example.com', ''],
  ['127.0.0.1:3000', ''],
  ['192.168.0.7', ''],
  ['[2001:db8::1]', ''],
  ['intranet', ''],
  ['zoe@example.org', ''],
  ['<script>alert(1)</script>.example', ''],
  [`${'a'.repeat(98)}.com`, ''],
])('of the site %j no more is kept than %j', (referrer, kept) =>
  expect(read({ referrer })?.referrer).toBe(kept),
);

test.each([
  ['Spring_Audit 2026', 'spring_audit 2026'],
  ['ＦＵＬＬ', 'full'],
  ['été', 'été'],
  ['https://evil.example/?a=<b>', 'https-evil.example-a-b-'],
  ['a\u0000b\u202ec', 'a-b-c'],
  ['zoe@example.com', ''],
  ['zoe%40example.com', ''],
  ['zoe%252540example.com', ''],
  ['zoe＠example.com', ''],
  ['x'.repeat(500), 'x'.repeat(64)],
  ['😀', '-'],
])('of the campaign %j no more is kept than %j', (campaign, kept) =>
  expect(read({ campaign })?.campaign).toBe(kept),
);

test('a message is counted for its campaign, from wherever it was sent, and not without one', () => {
  const message = { kind: 'message', path: '/contact', referrer: 'search.example' };
  expect(read({ ...message, source: 'letter' })).toEqual({
    ...{ kind: 'message', path: '', referrer: '', source: 'letter', medium: '', campaign: '' },
  });
  expect(read(message)).toBeUndefined();
});

test('nothing else is counted at all', () => expect(read({ kind: 'visitor' })).toBeUndefined());
