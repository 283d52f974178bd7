import { readFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FileEntry } from '../src/core/http/static-files.ts';
import { newsletterPaths } from '../src/features/newsletter/contract.ts';
import { runCommand } from '../tests/harness/command.ts';
import { builtSite, startSite, type TestSite } from '../tests/harness/site.ts';
import { paths } from '../tests/harness/site-paths.ts';
import { writeResult } from './figures.ts';
import { startHttps } from './https.ts';
import type { Observed } from './observatory-scan.ts';

const entries: FileEntry[] = JSON.parse(readFileSync(join(builtSite, 'files.json'), 'utf8'));
const pages = entries.filter(({ kind }) => kind === 'page').map(({ path }) => path);

/** All that the published release looks at, and the best that each can say of a site without cookies. */
const best = {
  'content-security-policy': 'csp-implemented-with-no-unsafe-default-src-none',
  cookies: 'cookies-not-found',
  'cross-origin-resource-sharing': 'cross-origin-resource-sharing-not-implemented',
  // The way from HTTP is the proxy's, and proof/deploy.test.ts checks it.
  redirection: 'redirection-not-needed-no-http',
  'referrer-policy': 'referrer-policy-private',
  'strict-transport-security': 'hsts-implemented-max-age-at-least-six-months',
  'subresource-integrity': 'sri-implemented-and-all-scripts-loaded-securely',
  'x-content-type-options': 'x-content-type-options-nosniff',
  'x-frame-options': 'x-frame-options-implemented-via-csp',
  'cross-origin-resource-policy': 'corp-implemented-with-same-origin',
};

test("Mozilla's Observatory gives every page its best mark", { timeout: 60_000 }, async () => {
  await using site = await startSite({ SITE_URL: 'https://127.0.0.1' });
  const observed = await observe(site, pages);
  expect(observed.map(({ path }) => path)).toEqual(pages);
  expect(pages).toEqual(expect.arrayContaining([...Object.values(paths), ...Object.values(newsletterPaths)]));
  for (const { path, grade, score, tests } of observed) {
    expect({ path, grade, score, tests: resultsOf(tests) }).toEqual({
      path,
      grade: 'A+',
      score: 135,
      tests: best,
    });
    expect(Object.values(tests).filter(({ pass }) => !pass)).toEqual([]);
  }
  const [{ score, grade } = {}] = observed;
  process.stdout.write(`Observatory: ${score} (${grade}) for each of ${pages.join(' ')}\n`);
  if (!process.env.FIGURES) return;
  const values = observed.map(one => one.score);
  writeResult('observatory', [{ name: 'score of all pages', values, goal: '135' }]);
});

test('and so it does the page that says 404, which it would not look at under that status', async () => {
  await using site = await startSite({ SITE_URL: 'https://127.0.0.1' });
  await using found = await startFound(site);
  const [{ grade, score, tests } = {}] = await observe({ ...site, origin: found.origin }, ['/nowhere']);
  expect({ grade, score, tests: resultsOf(tests) }).toEqual({ grade: 'A+', score: 135, tests: best });
  process.stdout.write(`Observatory: ${score} (${grade}) for the 404 page\n`);
});

test('a site without HSTS gets a lower score', async () => {
  await using site = await startSite();
  const [{ score = 0, tests } = {}] = await observe(site, ['/']);
  expect(score).toBeLessThan(100);
  expect(resultsOf(tests)).toEqual({ ...best, 'strict-transport-security': 'hsts-not-implemented' });
});

async function observe(site: Pick<TestSite, 'origin' | 'config'>, asked: readonly string[]) {
  await using front = await startHttps(site);
  const addresses = asked.map(path => front.url + path);
  const said = await runCommand('proof/observatory-scan.ts', addresses, {
    NODE_EXTRA_CA_CERTS: front.caFile,
  });
  expect(said).toMatchObject({ code: 0, err: '' });
  const observed: Observed[] = JSON.parse(said.out);
  return observed.map(({ address, ...rest }) => ({ path: address.slice(front.url.length), ...rest }));
}

function resultsOf(tests: Observed['tests'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(tests).map(([name, { result }]) => [name, result]));
}

/** Answers as the site does, and calls all of it found. */
async function startFound(site: TestSite): Promise<AsyncDisposable & { origin: string }> {
  const server = createServer(({ url, headers }, response) => {
    get(site.origin + url, { headers }, answer => {
      response.writeHead(200, answer.rawHeaders);
      answer.pipe(response);
    });
  });
  await new Promise<void>(opened => server.listen(0, '127.0.0.1', opened));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>(done => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
