import { describe, expect, test } from 'vitest';
import { headerSettings, headersFor } from './headers.ts';

const kinds = ['page', 'not-found', 'hashed', 'plain', 'shared', 'api'] as const;

const connect = (reach = {}) =>
  /connect-src [^;]*/.exec(headersFor('page', reach)['Content-Security-Policy'] ?? '')?.[0];

describe('connect-src', () => {
  test('is the site itself if there is a server', () => {
    expect(connect()).toBe("connect-src 'self'");
    expect(connect(headerSettings({ contactEndpoint: undefined, newsletterEndpoint: undefined }))).toBe(
      "connect-src 'self'",
    );
  });

  test('contains the origin of each service that pages post to, once and without its path', () => {
    const contactEndpoint = 'https://sheets.example/api/1?tab=2';
    expect(connect(headerSettings({ contactEndpoint }))).toBe("connect-src 'self' https://sheets.example");
    expect(
      connect(headerSettings({ contactEndpoint, newsletterEndpoint: 'https://letters.example:8443/x' })),
    ).toBe("connect-src 'self' https://sheets.example https://letters.example:8443");
    expect(
      connect(headerSettings({ contactEndpoint, newsletterEndpoint: 'https://sheets.example/api/2' })),
    ).toBe("connect-src 'self' https://sheets.example");
  });

  test('changes no other directive', () => {
    const reach = headerSettings({ contactEndpoint: 'https://sheets.example/' });
    for (const kind of kinds) {
      const { 'Content-Security-Policy': policy, ...others } = headersFor(kind, reach);
      const { 'Content-Security-Policy': plain, ...same } = headersFor(kind);
      expect(policy?.replace(' https://sheets.example', '')).toBe(plain);
      expect(others).toEqual(same);
    }
  });
});

describe('Strict-Transport-Security', () => {
  const promised = (settings: Parameters<typeof headerSettings>[0]) =>
    headersFor('page', headerSettings(settings))['Strict-Transport-Security'];

  test('is sent over HTTPS, with the configured scope', () => {
    const siteUrl = 'https://www.example.com';
    expect(promised({})).toBeUndefined();
    expect(promised({ siteUrl: 'http://www.example.com', hsts: 'preload' })).toBeUndefined();
    expect(promised({ siteUrl })).toBe('max-age=63072000');
    expect(promised({ siteUrl, hsts: 'subdomains' })).toBe('max-age=63072000; includeSubDomains');
    expect(promised({ siteUrl, hsts: 'preload' })).toBe('max-age=63072000; includeSubDomains; preload');
  });
});

describe('every kind of response', () => {
  test.each(kinds)('%s is closed to everything that is not meant', kind => {
    const headers = headersFor(kind, { hsts: 'host' });
    expect(Object.keys(headers).sort()).toEqual([
      'Cache-Control',
      'Content-Security-Policy',
      'Cross-Origin-Embedder-Policy',
      'Cross-Origin-Opener-Policy',
      'Cross-Origin-Resource-Policy',
      'Permissions-Policy',
      'Referrer-Policy',
      ...(/^(page|not-found)$/.test(kind) ? ['Speculation-Rules'] : []),
      'Strict-Transport-Security',
      'X-Content-Type-Options',
    ]);
    expect(headers['Content-Security-Policy']).not.toContain('unsafe');
    expect(headers['Cross-Origin-Resource-Policy']).toBe(kind === 'shared' ? 'cross-origin' : 'same-origin');
    expect(headers['Cache-Control']).toMatch(kind === 'api' ? /^no-store$/ : /^(no-cache$|public, max-age=)/);
  });
});
