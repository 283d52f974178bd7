import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type LoadedKind, listLoaded } from '../src/features/audit/loaded-urls.ts';
import { readStartTags } from '../src/features/audit/read-html.ts';
import { makeCertificate } from '../tests/fakes/certificate.ts';
import { createFakeInternet, type FakeInternet, fakeCertificates, fakeIps } from '../tests/fakes/internet.ts';
import { auditDomain } from '../tests/fakes/local-audits.ts';
import { launchBrowser } from '../tests/harness/browser.ts';

/** By what Chromium does with it. `URL` is another one each time. */
const parts: Record<LoadedKind, string[]> = {
  active: [
    '<script src=URL></script>',
    '<iframe src=URL></iframe>',
    '<embed src=URL>',
    '<object data=URL></object>',
    '<link rel=stylesheet href=URL>',
    '<link rel="alternate stylesheet" title=a href=URL>',
    '<link rel=preload as=script href=URL>',
    '<link rel=preload as=style href=URL>',
    '<link rel=preload as=font crossorigin href=URL>',
    '<link rel=preload as=fetch crossorigin href=URL>',
    '<link rel=preload as=track crossorigin href=URL>',
    '<link rel=preload as=image imagesrcset="URL 1x">',
    '<link rel=modulepreload href=URL>',
    '<link rel=prefetch href=URL>',
    '<img srcset="URL 1x">',
    '<img src=/a srcset="/a 1e-9x, URL 1x">',
    '<picture><source srcset="URL"><img src=/a></picture>',
    '<style>@charset "utf-8"; @import "URL";</style>',
    '<style>@import url(URL);</style>',
    "<style>@IMPORT Url( 'URL' ) layer(a) print;</style>",
    '<style>@import/**/"URL";</style>',
    '<style>@font-face { font-family: A; src: url(URL) } p { font-family: A }</style><p>text',
    '<svg><script href=URL></script></svg>',
    "<script type=module>import 'URL';</script>",
    '<script type=module>import a, {\nb } from"URL"</script>',
    "<script type=module>export * from 'URL'</script>",
    "<script type=module>import(/* a */ 'URL').catch(() => 0)</script>",
    '<script>import(`URL`).catch(() => 0)</script>',
  ],
  passive: [
    '<img src=URL>',
    '<img loading=lazy src=URL>',
    '<audio preload=auto src=URL></audio>',
    '<video src=URL></video>',
    '<video poster=URL></video>',
    '<video><source src=URL></video>',
    '<input type=image src=URL>',
    '<body background=URL>',
    '<table background=URL><tr><td>a</table>',
    '<table><tr><td background=URL>a</table>',
    '<link rel=preload as=image href=URL>',
    '<svg><image href=URL /></svg>',
    '<svg><image xlink:href=URL /></svg>',
    '<svg><use href=URL#a /></svg>',
    '<svg><filter id=a><feImage href=URL /></filter><rect filter="url(#a)" width=9 height=9 /></svg>',
    '<p style="background: url(URL)">text',
    '<p style="background: url(&quot;URL&quot;)">text',
    '<style>p { background: Url("URL") }</style><p>text',
    '<style>p { background: image-set("URL" 1x) }</style><p>text',
    '<style>p { list-style: url(URL); display: list-item }</style><p>text',
    '<style>p::before { content: url(URL) }</style><p>text',
  ],
  form: ['<form action=URL></form>'],
};

/** Nothing of it is loaded. */
const harmless = [
  '<a href=URL>a</a><link rel=canonical href=URL><link rel=preconnect href=URL>',
  '<script type="text/template" src=URL></script><script nomodule src=URL></script>',
  '<style>/* p { background: url(URL) } */ @namespace url(URL);</style>',
  `<style>p { background: url("data:image/svg+xml,<svg xmlns='URL'/>") }</style><p>text`,
  '<script type=module>// import "URL"\nconst a = `from`, b = "URL"; Array.from("URL")</script>',
  '<noscript><img src=URL></noscript><!-- <img src=URL> --><textarea><img src=URL></textarea>',
  '<link rel=preload href=URL><input src=URL>',
];

const statuses: Record<string, LoadedKind> = {
  MixedContentBlocked: 'active',
  MixedContentAutomaticallyUpgraded: 'passive',
  MixedContentWarning: 'form',
};

test('insecure parts of a page, and what browsers do with them, are those that Chromium reports', async () => {
  const markup = [...Object.values(parts).flat(), ...harmless].map((html, at) =>
    html.replaceAll('URL', `http://insecure.example/${at}`),
  );
  const server = createServer(makeCertificate({ host: 'page.example' }), ({ url = '' }, response) => {
    const html = markup[Number(url.slice(1)) - 1];
    response.setHeader('content-type', 'text/html').end(html && `<!doctype html><title>a</title>${html}`);
  });
  await new Promise<void>(opened => server.listen(0, '127.0.0.1', opened));
  const { port } = server.address() as AddressInfo;
  const rules = `MAP page.example:443 127.0.0.1:${port}, MAP * ~NOTFOUND`;
  await using browser = await launchBrowser({ args: [`--host-resolver-rules=${rules}`] });
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const differing: string[] = [];
  for (const [at, html] of markup.entries()) {
    const page = await context.newPage();
    const theirs = await listReported(page, `https://page.example/${at + 1}`);
    const ours = [...listLoaded(readStartTags({ body: html }))].flatMap(({ kind, url }) =>
      url.startsWith('http:') ? `${kind} ${url}` : [],
    );
    await page.close();
    if (ours.join() !== theirs.join()) differing.push(`${html}: ${ours}, Chromium ${theirs}`);
  }
  server.close();
  const written = [...Object.entries(parts).flatMap(([kind, list]) => list.map(() => kind))];
  process.stdout.write(`${markup.length} pages, ${written.length} insecure, ${differing.length} differ\n`);
  expect(differing).toEqual([]);
});

async function listReported(page: Page, url: string): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const reported = new Map<string, string>();
  session.on('Audits.issueAdded', ({ issue }) => {
    const { insecureURL = '', resolutionStatus = '' } = issue.details.mixedContentIssueDetails ?? {};
    // Of a picture among several it says both.
    if (insecureURL && reported.get(insecureURL) !== 'active')
      reported.set(insecureURL, statuses[resolutionStatus] ?? resolutionStatus);
  });
  await session.send('Audits.enable');
  await page.goto(url);
  await page.waitForTimeout(300);
  return [...reported].map(([url, kind]) => `${kind} ${url}`);
}

const [chromium, certutil] = ['/usr/bin/chromium', '/usr/bin/certutil'] as const;
const hasTools = existsSync(chromium) && existsSync(certutil);
const kinds = fakeCertificates.map(kind => ({ kind, host: `${kind}.example` }));
/** Chromium fetches what is missing from where the certificate says, which is nowhere here. */
const differences = ['incomplete-chain: attention, Chromium net::ERR_CERT_AUTHORITY_INVALID'];

test.skipIf(!hasTools)(
  `certificates that Chromium refuses fail in our report${hasTools ? '' : ` (${chromium} or ${certutil} is not installed here)`}`,
  async () => {
    await using internet = await createFakeInternet({
      zone: Object.assign({}, ...kinds.map(({ host }) => ({ [host]: { A: [fakeIps.web], SOA: ['a b'] } }))),
      certificates: Object.fromEntries(kinds.map(({ kind, host }) => [host, kind])),
      onRequest: (_, response) => response.end('<title>a</title>'),
    });
    const home = trustAuthority(internet);
    const rules = `MAP *:443 127.0.0.1:${internet.localPorts.https}`;
    await using browser = await launchBrowser({
      ...{ executablePath: chromium, env: { ...process.env, HOME: home } },
      args: [`--host-resolver-rules=${rules}`, '--no-sandbox'],
    });
    const differing: string[] = [];
    for (const { kind, host } of kinds) {
      const page = await browser.newPage();
      const opened = await page.goto(`https://${host}/`).then(
        () => 'opens it',
        error => /net::\w+/.exec(error.message)?.[0],
      );
      await page.close();
      const { results } = await auditDomain(internet, host);
      const { status } = results.find(({ check }) => check === 'web-certificate') ?? {};
      process.stdout.write(`${kind}: ${status}, Chromium ${opened}\n`);
      if ((status === 'failed') === (opened === 'opens it'))
        differing.push(`${kind}: ${status}, Chromium ${opened}`);
    }
    rmSync(home, { recursive: true });
    expect(differing).toEqual(differences);
  },
);

/** A home folder in which Chromium finds the authority among those that it trusts. */
function trustAuthority({ authority }: FakeInternet): string {
  const home = mkdtempSync(join(tmpdir(), 'wardhouse-chromium-'));
  const [store, file] = [join(home, '.pki/nssdb'), join(home, 'authority.pem')];
  mkdirSync(store, { recursive: true });
  writeFileSync(file, authority);
  const database = ['-d', `sql:${store}`];
  spawnSync(certutil, ['-N', ...database, '--empty-password']);
  const { status } = spawnSync(certutil, ['-A', ...database, '-n', 'authority', '-t', 'C,,', '-i', file]);
  expect(status).toBe(0);
  return home;
}
