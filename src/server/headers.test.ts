import { describe, expect, test } from 'vitest';
import { headersFor, reachOf } from './headers.ts';

const connect = (reach = {}) =>
  /connect-src [^;]*/.exec(headersFor('page', reach)['Content-Security-Policy'] ?? '')?.[0];

describe('what pages may connect to', () => {
  test('is the site itself, where there is a server', () => {
    expect(connect()).toBe("connect-src 'self'");
    expect(connect(reachOf({ contactEndpoint: undefined, newsletterEndpoint: undefined }))).toBe(
      "connect-src 'self'",
    );
  });

  test('is also the origin of each service they post to, once, and not its path', () => {
    const contactEndpoint = 'https://sheets.example/api/1?tab=2';
    expect(connect(reachOf({ contactEndpoint }))).toBe("connect-src 'self' https://sheets.example");
    expect(connect(reachOf({ contactEndpoint, newsletterEndpoint: 'https://letters.example:8443/x' }))).toBe(
      "connect-src 'self' https://sheets.example https://letters.example:8443",
    );
    expect(connect(reachOf({ contactEndpoint, newsletterEndpoint: 'https://sheets.example/api/2' }))).toBe(
      "connect-src 'self' https://sheets.example",
    );
  });

  test('changes nothing else of the policy', () => {
    const reach = reachOf({ contactEndpoint: 'https://sheets.example/' });
    for (const kind of ['page', 'not-found', 'hashed', 'plain', 'api'] as const) {
      const { 'Content-Security-Policy': policy, ...others } = headersFor(kind, reach);
      const { 'Content-Security-Policy': plain, ...same } = headersFor(kind);
      expect(policy?.replace(' https://sheets.example', '')).toBe(plain);
      expect(others).toEqual(same);
    }
  });
});
