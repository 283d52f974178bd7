import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { APIResponse, BrowserContextOptions, Page, Route } from 'playwright-core';
import { beforeEach } from 'vitest';
import { launchBrowser } from './browser.ts';
import { startHttps } from './https.ts';
import { type Visit, visitAny } from './page.ts';
import { startSite, type TestSite } from './site.ts';

export type SecureSite = TestSite & {
  caFile: string;
  /** The document or file that a page asked for, as the site answers it, for a test to change on its way. */
  fetch(route: Route): Promise<APIResponse>;
};
/** Which rule was broken, on which page. */
export type Violation = { rule: string; page: string };

/** What a test has seen of the policy: witnesses that do not know of each other, and where requests went. */
type Witnesses = {
  /** What the pages themselves were told. */
  events: Violation[];
  /** What stands in the console. */
  said: string[];
  /** Every address that was asked for and is not the site's own. */
  strays: string[];
  /** Every page of the test, in the order they were opened. */
  opened: Page[];
};

export type SecureVisit = Visit<SecureSite> & Witnesses;

/** A name as sites have them: browsers allow the address of this machine what they allow nobody else. */
const siteUrl = 'https://www.example.com';

/** The site behind HTTPS, in a browser that trusts its certificate. */
export function visitSecurely(
  start: () => Promise<SecureSite> = startSecurely,
  defaults: BrowserContextOptions = { reducedMotion: 'reduce' },
): SecureVisit {
  const witnesses = callWitnesses();
  beforeEach(() => {
    for (const list of Object.values(witnesses)) list.length = 0;
  });
  const visit = visitAny(start, defaults, async starting =>
    launchBrowser({ args: trust((await starting).caFile) }),
  );
  const { open } = visit;
  visit.open = async options => {
    const page = await open(options);
    await watch(page, witnesses, visit.site.origin);
    return page;
  };
  return Object.assign(visit, witnesses);
}

export async function startSecurely(env: Record<string, string> = {}): Promise<SecureSite> {
  const site = await startSite({ SITE_URL: siteUrl, ...env });
  const front = await startHttps(site);
  return {
    ...site,
    origin: front.url,
    caFile: front.caFile,
    fetch(route) {
      const { pathname, host } = new URL(route.request().url());
      return route.fetch({ url: site.origin + pathname, headers: { host } });
    },
    async [Symbol.asyncDispose]() {
      await front.close();
      await site[Symbol.asyncDispose]();
    },
  };
}

function trust(caFile: string): string[] {
  const { publicKey } = new X509Certificate(readFileSync(caFile));
  const digest = createHash('sha256').update(publicKey.export({ type: 'spki', format: 'der' }));
  return [
    `--ignore-certificate-errors-spki-list=${digest.digest('base64')}`,
    '--host-resolver-rules=MAP * 127.0.0.1',
  ];
}

export function callWitnesses(): Witnesses {
  return { events: [], said: [], strays: [], opened: [] };
}

/** Has to be asked for before the page goes anywhere. */
export async function watch(page: Page, witnesses: Witnesses, origin: string): Promise<void> {
  const { events, said, strays, opened } = witnesses;
  opened.push(page);
  page.on('console', message => {
    if (/Content Security Policy|Trusted(Type|HTML|Script)|integrity|Mixed Content/i.test(message.text()))
      said.push(message.text());
  });
  page.on('request', request => {
    if (new URL(request.url()).origin !== origin) strays.push(request.url());
  });
  await page.exposeFunction('witness', (violation: Violation) => events.push(violation));
  await page.addInitScript(`addEventListener('securitypolicyviolation', ({ effectiveDirective: rule }) =>
    witness({ rule, page: location.pathname }))`);
}

/** What comes late or moves gets the time to. */
export async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
      scrollTo({ top, behavior: 'instant' });
      await new Promise(requestAnimationFrame);
    }
    scrollTo({ top: 0, behavior: 'instant' });
  })()`);
}

/** A changed script or style sheet is refused only where its element says what it should be. */
export function findWithoutIntegrity(page: Page): Promise<string[]> {
  return page
    .locator('script[src], link:is([rel~=stylesheet], [rel=modulepreload], [as=script], [as=style])')
    .evaluateAll(elements => {
      const found = elements.filter(
        element => !/^sha(256|384|512)-/.test(element.getAttribute('integrity') ?? ''),
      );
      return elements.length === 0 ? ['no script'] : found.map(element => element.outerHTML);
    });
}
