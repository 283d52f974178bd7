import { expect, test } from 'vitest';
import { formatSecurityTxt } from './security-txt.ts';

const now = new Date('2028-02-29T23:59:59.999Z');
const write = (email: string, securityContact: string | null, siteUrl?: string) =>
  formatSecurityTxt({ email, securityContact }, siteUrl, now);

test('has a contact, an expiry and its canonical URL', () => {
  expect(write('hello@example.com', null, 'https://www.example.com').split('\n').sort()).toEqual([
    '',
    'Canonical: https://www.example.com/.well-known/security.txt',
    'Contact: mailto:hello@example.com',
    'Expires: 2029-02-27T23:59:59Z',
    'Policy: https://www.example.com/security',
    'Preferred-Languages: en',
  ]);
});

test('without an https SITE_URL contains no web URL, and names the security contact if there is one, as a URI', () => {
  const text = write('hello@example.com', 'ü%b?c&d/e@müller.example', 'http://www.example.com');
  expect(text).not.toMatch(/http|Canonical|Policy/);
  expect(text).toContain('Contact: mailto:%C3%BC%25b%3Fc%26d%2Fe@xn--mller-kva.example\n');
});
