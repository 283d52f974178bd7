import { expect, test } from 'vitest';
import { headerSettings, headersFor } from './headers.ts';

const connect = (reach = {}) =>
  /connect-src [^;]*/.exec(headersFor('page', reach)['Content-Security-Policy'] ?? '')?.[0];

test('connect-src is the site itself and the origin of each service that pages post to, once', () => {
  const contactEndpoint = 'https://sheets.example/api/1?tab=2';
  const reach = (newsletterEndpoint: string) => headerSettings({ contactEndpoint, newsletterEndpoint });
  expect(connect()).toBe("connect-src 'self'");
  expect(connect(headerSettings({}))).toBe("connect-src 'self'");
  expect(connect(headerSettings({ contactEndpoint }))).toBe("connect-src 'self' https://sheets.example");
  expect(connect(reach('https://letters.example:8443/x'))).toBe(
    "connect-src 'self' https://sheets.example https://letters.example:8443",
  );
  expect(connect(reach('https://sheets.example/api/2'))).toBe("connect-src 'self' https://sheets.example");
});

const promised = (settings: Parameters<typeof headerSettings>[0]) =>
  headersFor('page', headerSettings(settings))['Strict-Transport-Security'];

test('Strict-Transport-Security is sent over HTTPS, with the configured scope', () => {
  const siteUrl = 'https://www.example.com';
  expect(promised({})).toBeUndefined();
  expect(promised({ siteUrl: 'http://www.example.com', hsts: 'preload' })).toBeUndefined();
  expect(promised({ siteUrl })).toBe('max-age=63072000');
  expect(promised({ siteUrl, hsts: 'subdomains' })).toBe('max-age=63072000; includeSubDomains');
  expect(promised({ siteUrl, hsts: 'preload' })).toBe('max-age=63072000; includeSubDomains; preload');
});
