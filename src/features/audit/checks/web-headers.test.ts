import { expect, test } from 'vitest';
import { createStubAuditNetwork } from '../../../../tests/harness/stub-audit-network.ts';
import type { Fetched } from '../../../core/network/network.ts';
import { checks } from '../list-checks.ts';

type Answer = Partial<Pick<Fetched, 'headers' | 'body' | 'status'>>;

const header = (name: string, ...values: string[]): Answer => ({
  headers: values.map(value => [name, value]),
});
const csp = (value: string) => header('content-security-policy', value);
const hsts = (value: string) => header('strict-transport-security', value);
const page = (body: string): Answer => ({ body, headers: [['content-type', 'text/html']] });
const meta = (value: string) => `<meta http-equiv="Content-Security-Policy" content="${value}">`;
const text = (body: string): Answer => ({ body, headers: [['content-type', 'text/plain']] });
const cookie = (...values: string[]) => header('set-cookie', ...values);

/** What the whole audit of tests/audit-corpus.test.ts does not show. */
test.each<[check: string, answer: Answer, finding: string]>([
  ['web-csp', header('content-security-policy-report-only', "default-src 'none'"), 'report-only'],
  ['web-csp', csp("default-src 'self'; style-src 'unsafe-inline'"), 'strict'],
  ['web-csp', csp("script-src 'unsafe-inline' 'nonce-abc'"), 'strict'],
  ['web-csp', csp("script-src https: 'strict-dynamic' 'nonce-abc'"), 'strict'],
  ['web-csp', csp("script-src 'self' 'unsafe-inline'; script-src 'self'"), 'unsafe-inline'],
  ['web-csp', csp("SCRIPT-SRC 'self' 'UNSAFE-EVAL'"), 'unsafe-eval'],
  ['web-csp', csp('frame-ancestors none'), 'wide'],
  ['web-csp', csp("default-src 'self' https:"), 'wide'],
  ['web-csp', csp("default-src 'self'; img-src http://example.com"), 'insecure-scheme'],
  ['web-csp', csp("default-src *, script-src 'self'"), 'strict'],
  ['web-csp', page(meta("default-src 'none'")), 'strict'],
  ['web-framing', header('x-frame-options', 'SAMEORIGIN'), 'header'],
  ['web-framing', header('x-frame-options', 'ALLOW-FROM https://example.com'), 'invalid'],
  ['web-framing', header('x-frame-options', 'DENY', 'SAMEORIGIN'), 'invalid'],
  ['web-framing', csp('frame-ancestors *'), 'wide'],
  ['web-framing', page(meta("frame-ancestors 'none'")), 'none'],
  ['web-nosniff', header('x-content-type-options', 'NoSniff'), 'set'],
  ['web-nosniff', header('x-content-type-options', 'no'), 'invalid'],
  ['web-referrer-policy', {}, 'default'],
  ['web-referrer-policy', header('referrer-policy', 'unsafe-url, strict-origin'), 'guarded'],
  ['web-referrer-policy', header('referrer-policy', 'never'), 'invalid'],
  ['web-referrer-policy', page('<meta name="Referrer" content="unsafe-url">'), 'leaks'],
  ['web-resource-policy', {}, 'none'],
  ['web-resource-policy', header('cross-origin-resource-policy', 'same-site'), 'same-site'],
  ['web-cors', header('access-control-allow-origin', '*'), 'public'],
  ['web-cors', header('access-control-allow-origin', 'https://example.org'), 'restricted'],
  ['web-cookies', {}, 'none'],
  ['web-cookies', cookie('theme=dark; Secure'), 'guarded'],
  ['web-cookies', cookie('theme=dark; Secure', 'lang=en'), 'without-secure'],
  ['web-cookies', cookie('PHPSESSID=1; Secure; HttpOnly'), 'session-without-samesite'],
  ['web-cookies', cookie('sid=1; Secure; SameSite=Lax'), 'session-without-httponly'],
  ['web-mixed-content', page('<img src="/a.png"><a href="http://example.org">'), 'none'],
  ['web-mixed-content', page('<!-- <script src="http://a.example/x.js"> -->'), 'none'],
  ['web-mixed-content', page('<script>"<script src=http://a.example>"</script>'), 'none'],
  ['web-mixed-content', page('<base href="http://a.example/"><SCRIPT SRC=x.js></SCRIPT>'), 'active'],
  ['web-mixed-content', page('<link rel="preload stylesheet" href="http://a.example/a.css">'), 'active'],
  ['web-mixed-content', page('<form action="http://a.example/">'), 'form'],
  ['web-mixed-content', page(`${meta('upgrade-insecure-requests')}<img src=http://a.test>`), 'upgraded'],
  ['web-mixed-content', page('<img srcset="/a.png 1x,http://a.test/b.png 2x">'), 'active'],
  ['web-mixed-content', page('<picture><source srcset="/a, http://a.test/b"></picture>'), 'active'],
  ['web-mixed-content', page('<link rel=preload as=font href=http://a.test>'), 'active'],
  ['web-mixed-content', page('<link rel=preload as=image href=http://a.test>'), 'passive'],
  ['web-mixed-content', page('<link rel=preload as=image imagesrcset="/a, http://a.test 2x">'), 'active'],
  ['web-mixed-content', page('<link rel=modulepreload href=http://a.test>'), 'active'],
  ['web-mixed-content', page('<link rel="canonical preconnect" href=http://a.test>'), 'none'],
  ['web-mixed-content', page('<style>/* " */ @import "http://a.test/a.css";</style>'), 'active'],
  ['web-mixed-content', page('<style>@import url( http://a.test/a.css ) print</style>'), 'active'],
  ['web-mixed-content', page('<style>a{background:url(http://a.test/a.png)}</style>'), 'passive'],
  ['web-mixed-content', page('<style>a{background:image-set("http://a.test/a" 1x)}</style>'), 'passive'],
  ['web-mixed-content', page('<style>@font-face{font-family:A;src:URL("http://a.test")}</style>'), 'active'],
  ['web-mixed-content', page('<style>/*a{background:url(http://a.test)}*/</style>'), 'none'],
  ['web-mixed-content', page('<style>@namespace url(http://www.w3.org/1999/xhtml);</style>'), 'none'],
  [
    'web-mixed-content',
    page('<style>a{background:url("data:image/svg+xml,<a xmlns=\'http://www.w3.org\'/>")}</style>'),
    'none',
  ],
  ['web-mixed-content', page('<p style="background:url(&quot;http://a.test/a.png&quot;)">'), 'passive'],
  ['web-mixed-content', page('<video poster=http://a.test>'), 'passive'],
  [
    'web-mixed-content',
    page('<svg xmlns="http://www.w3.org/2000/svg"><image href=http://a.test /></svg>'),
    'passive',
  ],
  ['web-mixed-content', page('<svg><image xlink:href=http://a.test /></svg>'), 'passive'],
  ['web-mixed-content', page('<svg><use href=http://a.test#a /></svg>'), 'passive'],
  ['web-mixed-content', page('<base href=http://a.test><svg><use href=#a /></svg>'), 'none'],
  ['web-mixed-content', page('<script type=module>import {\na} from"http://a.test"</script>'), 'active'],
  ['web-mixed-content', page("<script type=module>export * from 'http://a.test'</script>"), 'active'],
  ['web-mixed-content', page('<script>import(/* a */ `http://a.test`)</script>'), 'active'],
  [
    'web-mixed-content',
    page('<script type=module>// import "http://a.test"\n"from"\n"http://a.test"</script>'),
    'none',
  ],
  ['web-mixed-content', page('<script>Array.from("http://a.test"); a = "import"</script>'), 'none'],
  ['web-mixed-content', page('<script type="text/template" src=http://a.test></script>'), 'none'],
  ['web-mixed-content', page('<iframe src=http://a.test></iframe>'), 'active'],
  ['web-mixed-content', page('<body background=http://a.test>'), 'passive'],
  ['web-subresource-integrity', page('<script src="https://cdn.example.com/x.js"></script>'), 'not-needed'],
  ['web-subresource-integrity', page('<script integrity=sha384-x src=//b.test></script>'), 'all'],
  ['web-banners', header('server', 'nginx'), 'none'],
  ['web-banners', page('<meta name="generator" content="WordPress 6.9">'), 'versions'],
  ['web-hsts', hsts('max-age="31536000"'), 'long'],
  ['web-hsts', hsts('max-age=0'), 'none'],
  ['web-hsts', hsts('includeSubDomains'), 'invalid'],
  ['web-hsts', { status: 403 }, 'NetworkError'],
  ['web-security-txt', page('<h1>Home</h1>'), 'none'],
  ['web-security-txt', text('# Contact: x\nExpires: 2030-01-01T00:00:00Z'), 'without-contact'],
  ['web-security-txt', text('Contact: mailto:a@example.com\nExpires: soon'), 'without-expiry'],
])('%s of %j: %s', async (id, answer, finding) => {
  const check = checks.find(one => one.id === id);
  const network = createStubAuditNetwork(answer);
  const running = check?.run({ domain: 'example.com', network, now: new Date('2026-01-01') });
  const found = await running?.catch(error => ({ finding: error.constructor.name }));
  expect(found?.finding).toBe(finding);
  expect({ ...check?.findings, NetworkError: 'thrown' }).toHaveProperty(finding);
});
