import { expect, test } from 'vitest';
import { createStubAuditNetwork } from '../../../tests/harness/stub-audit-network.ts';
import { checks } from '../list-checks.ts';
import type { Fetched } from '../net/network.ts';

type Answer = Partial<Pick<Fetched, 'headers' | 'body' | 'status'>>;

const csp = (value: string): Answer => ({ headers: [['content-security-policy', value]] });
const header = (name: string, ...values: string[]): Answer => ({
  headers: values.map(value => [name, value]),
});
const page = (body: string): Answer => ({ body, headers: [['content-type', 'text/html']] });
const text = (body: string): Answer => ({ body, headers: [['content-type', 'text/plain']] });
const cookie = (...values: string[]) => header('set-cookie', ...values);

test.each<[check: string, answer: Answer, finding: string]>([
  ['web-csp', {}, 'none'],
  ['web-csp', header('content-security-policy-report-only', "default-src 'none'"), 'report-only'],
  ['web-csp', csp("default-src 'self'"), 'strict'],
  ['web-csp', csp("default-src 'self'; style-src 'unsafe-inline'"), 'strict'],
  ['web-csp', csp("script-src 'unsafe-inline' 'nonce-abc'"), 'strict'],
  ['web-csp', csp("script-src https: 'strict-dynamic' 'nonce-abc'"), 'strict'],
  ['web-csp', csp("script-src 'self' 'unsafe-inline'; script-src 'self'"), 'unsafe-inline'],
  ['web-csp', csp("SCRIPT-SRC 'self' 'UNSAFE-EVAL'"), 'unsafe-eval'],
  ['web-csp', csp('frame-ancestors none'), 'wide'],
  ['web-csp', csp("default-src 'self' https:"), 'wide'],
  ['web-csp', csp("default-src 'self'; img-src http://example.com"), 'insecure-scheme'],
  ['web-csp', csp("default-src *, script-src 'self'"), 'strict'],
  ['web-csp', page(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'">`), 'strict'],
  ['web-framing', {}, 'none'],
  ['web-framing', header('x-frame-options', 'SAMEORIGIN'), 'header'],
  ['web-framing', header('x-frame-options', 'ALLOW-FROM https://example.com'), 'invalid'],
  ['web-framing', header('x-frame-options', 'DENY', 'SAMEORIGIN'), 'invalid'],
  ['web-framing', csp("frame-ancestors 'none'"), 'csp'],
  ['web-framing', csp('frame-ancestors *'), 'wide'],
  [
    'web-framing',
    page(`<meta http-equiv="content-security-policy" content="frame-ancestors 'none'">`),
    'none',
  ],
  ['web-nosniff', header('x-content-type-options', 'NoSniff'), 'set'],
  ['web-nosniff', header('x-content-type-options', 'no'), 'invalid'],
  ['web-nosniff', {}, 'none'],
  ['web-referrer-policy', {}, 'default'],
  ['web-referrer-policy', header('referrer-policy', 'unsafe-url, strict-origin'), 'guarded'],
  ['web-referrer-policy', header('referrer-policy', 'origin'), 'leaks'],
  ['web-referrer-policy', header('referrer-policy', 'never'), 'invalid'],
  ['web-referrer-policy', page('<meta name="Referrer" content="unsafe-url">'), 'leaks'],
  ['web-resource-policy', {}, 'none'],
  ['web-resource-policy', header('cross-origin-resource-policy', 'same-site'), 'same-site'],
  ['web-cors', {}, 'closed'],
  ['web-cors', header('access-control-allow-origin', '*'), 'public'],
  ['web-cors', header('access-control-allow-origin', 'https://example.org'), 'restricted'],
  ['web-cookies', {}, 'none'],
  ['web-cookies', cookie('theme=dark; Secure'), 'guarded'],
  ['web-cookies', cookie('theme=dark; Secure', 'lang=en'), 'without-secure'],
  ['web-cookies', cookie('PHPSESSID=1; Secure; HttpOnly; SameSite=Lax'), 'guarded'],
  ['web-cookies', cookie('PHPSESSID=1; Secure; HttpOnly'), 'session-without-samesite'],
  ['web-cookies', cookie('sid=1; Secure; SameSite=Lax'), 'session-without-httponly'],
  ['web-cookies', cookie('sid=1; HttpOnly; SameSite=Lax'), 'session-without-secure'],
  ['web-mixed-content', page('<img src="/a.png"><a href="http://example.org">'), 'none'],
  ['web-mixed-content', page('<!-- <script src="http://a.example/x.js"> -->'), 'none'],
  ['web-mixed-content', page('<script>"<script src=http://a.example>"</script>'), 'none'],
  ['web-mixed-content', page('<img src="http://a.example/a.png">'), 'passive'],
  ['web-mixed-content', page('<base href="http://a.example/"><SCRIPT SRC=x.js></SCRIPT>'), 'active'],
  ['web-mixed-content', page('<link rel="preload stylesheet" href="http://a.example/a.css">'), 'active'],
  ['web-mixed-content', page('<form action="http://a.example/">'), 'form'],
  [
    'web-mixed-content',
    page(
      '<meta http-equiv="content-security-policy" content="upgrade-insecure-requests"><img src="http://a.example/">',
    ),
    'upgraded',
  ],
  ['web-subresource-integrity', page('<script src="https://cdn.example.com/x.js"></script>'), 'not-needed'],
  ['web-subresource-integrity', page('<script src="//cdn.example.net/x.js"></script>'), 'without'],
  [
    'web-subresource-integrity',
    page('<script integrity="sha384-x" src="//cdn.example.net/x.js"></script>'),
    'all',
  ],
  ['web-banners', header('server', 'nginx'), 'none'],
  ['web-banners', header('server', 'Apache/2.4.1 (Unix)'), 'versions'],
  ['web-banners', page('<meta name="generator" content="WordPress 6.9">'), 'versions'],
  [
    'web-hsts',
    header('strict-transport-security', 'max-age=31536000; includeSubDomains; preload'),
    'preload-ready',
  ],
  ['web-hsts', header('strict-transport-security', 'max-age="31536000"'), 'long'],
  ['web-hsts', header('strict-transport-security', 'max-age=300'), 'short'],
  ['web-hsts', header('strict-transport-security', 'max-age=0'), 'none'],
  ['web-hsts', header('strict-transport-security', 'includeSubDomains'), 'invalid'],
  ['web-security-txt', { status: 404 }, 'none'],
  ['web-security-txt', page('<h1>Home</h1>'), 'none'],
  ['web-security-txt', text('Contact: mailto:a@example.com\nExpires: 2030-01-01T00:00:00Z'), 'valid'],
  ['web-security-txt', text('# Contact: x\nExpires: 2030-01-01T00:00:00Z'), 'without-contact'],
  ['web-security-txt', text('Contact: mailto:a@example.com\nExpires: soon'), 'without-expiry'],
  ['web-security-txt', text('Contact: mailto:a@example.com\nExpires: 2020-01-01T00:00:00Z'), 'expired'],
])('%s of %j: %s', async (id, answer, finding) => {
  const check = checks.find(one => one.id === id);
  const network = createStubAuditNetwork(answer);
  const found = await check?.run({ domain: 'example.com', network, now: new Date('2026-01-01') });
  expect(found?.finding).toBe(finding);
  expect(check?.findings).toHaveProperty(finding);
});
