import { expect, test } from 'vitest';
import { isCrossSite } from './csrf.ts';

const siteUrl = 'https://www.example.com';

/** Behind a proxy the server sees another address than the visitor does. */
function createRequest(headers: Record<string, string>): Request {
  return new Request('http://10.0.0.7:3000/api/contact', { method: 'POST', headers });
}

test.each<[Record<string, string>]>([
  [{}],
  [{ 'sec-fetch-site': 'same-origin' }],
  [{ origin: siteUrl }],
  [{ 'sec-fetch-site': 'same-origin', origin: 'https://alias.example' }],
])('a post with the headers %j is our own', headers =>
  expect(isCrossSite(createRequest(headers), siteUrl)).toBe(false),
);

test.each<[Record<string, string>]>([
  [{ 'sec-fetch-site': 'cross-site' }],
  [{ 'sec-fetch-site': 'same-site' }],
  [{ 'sec-fetch-site': 'cross-site', origin: siteUrl }],
  [{ origin: 'null' }],
  [{ origin: 'https://www.example.com.evil.example' }],
  [{ origin: 'http://10.0.0.7:3000' }],
])('a post with the headers %j is from another site', headers =>
  expect(isCrossSite(createRequest(headers), siteUrl)).toBe(true),
);

test('without SITE_URL the requested host is our own', () => {
  expect(isCrossSite(createRequest({ origin: 'http://10.0.0.7:3000' }), undefined)).toBe(false);
  expect(isCrossSite(createRequest({ origin: 'https://10.0.0.7:3000' }), undefined)).toBe(false);
  for (const origin of [siteUrl, 'null', 'http://10.0.0.7:3001', 'https://10.0.0.7', 'not an address']) {
    expect(isCrossSite(createRequest({ origin }), undefined)).toBe(true);
  }
});
