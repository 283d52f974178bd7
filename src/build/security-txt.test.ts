import { describe, expect, test } from 'vitest';
import { readSecurityTxt } from '../../tests/harness/security-txt.ts';
import { writeSecurityTxt } from './security-txt.ts';

const now = new Date('2028-02-29T23:59:59.999Z');
const company = { email: 'hello@example.com', securityContact: null };
const write = (more: { email?: string; securityContact?: string | null } = {}, siteUrl?: string) =>
  readSecurityTxt(writeSecurityTxt({ ...company, ...more }, siteUrl, now));

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

describe('the parser of these tests rejects', () => {
  const good = 'Contact: mailto:a@example.com\nExpires: 2028-01-01T00:00:00Z\n';
  test.each([
    ['no contact', good.replace(/^Contact.*\n/, '')],
    ['no end', good.replace(/Expires.*\n/, '')],
    ['two ends', `${good}Expires: 2028-01-01T00:00:00Z\n`],
    ['an end that never comes', good.replace('2028-01-01T00:00:00Z', 'Never')],
    ['a day that is not there', good.replace('01-01T', '02-30T')],
    ['a date without a time', good.replace('T00:00:00Z', '')],
    ['a bare address', good.replace('mailto:', '')],
    ['plain http', `${good}Policy: http://www.example.com/security\n`],
    ['a path alone', `${good}Policy: /security\n`],
    ['languages twice', `${good}Preferred-Languages: en\nPreferred-Languages: de\n`],
    ['no space', good.replace('Contact: ', 'Contact:')],
    ['a misspelt field', good.replace('Expires', 'Expire')],
    ['an unfinished line', good.trimEnd()],
  ])('%s', (_, text) => {
    expect(readSecurityTxt(good)).toBeTruthy();
    expect(() => readSecurityTxt(text)).toThrow();
  });
});
