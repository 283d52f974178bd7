import { expect, test } from 'vitest';
import { isCrossSite } from './csrf.ts';

const siteUrl = 'https://www.example.com';

/** Behind a proxy the server sees another address than the visitor does. */
function createRequest(headers: Record<string, string>): Request {
  return new Request('http://10.0.0.7:3000/api/contact', { method: 'POST', headers });
}

test.each<[isOurs: boolean, headers: Record<string, string>]>([
  [true, {}],
  [true, { origin: siteUrl }],
  [true, { 'sec-fetch-site': 'same-origin', origin: 'https://alias.example' }],
  [false, { 'sec-fetch-site': 'same-site' }],
  [false, { 'sec-fetch-site': 'cross-site', origin: siteUrl }],
  [false, { origin: 'null' }],
  [false, { origin: 'https://www.example.com.evil.example' }],
  [false, { origin: 'http://10.0.0.7:3000' }],
])('it is %s that a post with the headers %j is our own', (isOurs, headers) =>
  expect(isCrossSite(createRequest(headers), siteUrl)).toBe(!isOurs),
);

test('without SITE_URL the requested host is our own', () => {
  expect(isCrossSite(createRequest({ origin: 'http://10.0.0.7:3000' }), undefined)).toBe(false);
  expect(isCrossSite(createRequest({ origin: 'https://10.0.0.7:3000' }), undefined)).toBe(false);
  for (const origin of [siteUrl, 'null', 'http://10.0.0.7:3001', 'https://10.0.0.7', 'not an address']) {
    expect(isCrossSite(createRequest({ origin }), undefined)).toBe(true);
  }
});
