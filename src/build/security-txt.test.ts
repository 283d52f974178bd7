import { describe, expect, test } from 'vitest';
import { writeSecurityTxt } from './security-txt.ts';

const now = new Date('2028-02-29T23:59:59.999Z');
const company = { email: 'hello@example.com', securityContact: null };
const write = (more: { email?: string; securityContact?: string | null } = {}, siteUrl?: string) =>
  readFields(writeSecurityTxt({ ...company, ...more }, siteUrl, now));

describe('security.txt', () => {
  test('has a contact, an expiry and its canonical URL', () => {
    expect(write({}, 'https://www.example.com')).toEqual({
      Contact: ['mailto:hello@example.com'],
      Expires: ['2029-02-27T23:59:59Z'],
      'Preferred-Languages': ['en'],
      Canonical: ['https://www.example.com/.well-known/security.txt'],
      Policy: ['https://www.example.com/security'],
    });
  });

  test.each([undefined, 'http://www.example.com'])('with SITE_URL %s contains no web URL', siteUrl => {
    expect(Object.keys(write({}, siteUrl))).toEqual(['Contact', 'Expires', 'Preferred-Languages']);
  });

  test('uses the security contact if there is one', () => {
    expect(write({ securityContact: 'security@example.org' }).Contact).toEqual([
      'mailto:security@example.org',
    ]);
  });

  test.each([
    ['o+s@example.com', 'mailto:o+s@example.com'],
    ['a%b?c&d/e@example.com', 'mailto:a%25b%3Fc%26d%2Fe@example.com'],
    ['"a@b"@example.com', 'mailto:%22a%40b%22@example.com'],
    ['ü@müller.example', 'mailto:%C3%BC@xn--mller-kva.example'],
    ['\ud800@example.com', 'mailto:%EF%BF%BD@example.com'],
  ])('writes %s as a URI', (email, uri) => {
    expect(write({ email }).Contact).toEqual([uri]);
  });
});

/** The values of each field, in order. */
function readFields(text: string): Record<string, string[]> {
  expect(text).toMatch(/^([A-Z][\w-]+: \S+\n)+$/);
  const lines = text
    .trimEnd()
    .split('\n')
    .map(line => line.split(': '));
  const values = Map.groupBy(lines, ([name = '']) => name);
  return Object.fromEntries([...values].map(([name, those]) => [name, those.map(([, value = '']) => value)]));
}
