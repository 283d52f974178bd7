import { expect, test } from 'vitest';
import { headerSettings, headersFor } from './headers.ts';

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
