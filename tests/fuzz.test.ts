import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contactPath, messageFields, newsletterPath, stepPaths, tokenPath } from '../src/api/contract.ts';
import { startSite } from './harness/site.ts';

/** A smoke run of `npm run proof -- fuzz`, always with the same seed. */

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom('=1+1', '<script>', '\r\nBcc: a@example.com', 'zoe@example.com', '\u202e', '\0'),
);
const fields = fc.dictionary(
  fc.constantFrom(...Object.keys(messageFields), 'email', 'form', '__proto__'),
  text,
);
const paths = [contactPath, newsletterPath, ...Object.values(stepPaths)];
const types = ['json', 'x-www-form-urlencoded', 'octet-stream'].map(type => `application/${type}`);
const request = fc.record({
  path: fc.constantFrom(...paths, tokenPath, '/', '/%ff', '/api/x'),
  method: fc.constantFrom('GET', 'POST', 'POST', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'),
  type: fc.constantFrom(...types, 'multipart/form-data'),
  query: fields,
  body: fc.oneof(
    fields.map(values => JSON.stringify(values)),
    fields.map(values => new URLSearchParams(values).toString()),
    fc.json(),
    text,
  ),
});

test('300 random requests get a response, and none is a server error', {
  timeout: 60_000,
}, async () => {
  await using site = await startSite();
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(request, async ({ path, method, type, query, body }) => {
      const response = await fetch(`${site.origin}${path}?${new URLSearchParams(query)}`, {
        ...{ method, redirect: 'manual', headers: { 'content-type': type } },
        ...(method === 'GET' || method === 'HEAD' ? {} : { body }),
      });
      await response.arrayBuffer();
      statuses.add(response.status);
      expect(response.status).toBeLessThan(500);
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    }),
    { numRuns: 300 },
  );
  expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 303, 400, 404, 405, 415]));
  expect(site.lines.filter(line => line.includes('"level":"error"'))).toEqual([]);
});
