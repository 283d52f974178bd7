import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../../tests/harness/databases.ts';
import { collectLog, testConfig } from '../../tests/harness/site.ts';
import { type Wired, wire } from '../server/wire.ts';
import { viewsPath } from './contract.ts';
import { rateLimits } from './guards/rate-limit.ts';

const origin = 'https://www.example.com';
const browser = {
  'content-type': 'text/plain;charset=UTF-8',
  'sec-fetch-site': 'same-origin',
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36',
};
const home = 'view\n/\n\n\n\n';

describe.each(databases)('POST /api/views on $name', ({ create }) => {
  let database: TestDatabase;
  let site: Wired;
  const { log, lines } = collectLog();

  beforeAll(async () => {
    database = await create();
    site = await wire(testConfig({ ...database.env, SITE_URL: origin, RATE_LIMIT: 'on' }), {
      log,
      hasPage: path => path === '/blog/a-post',
    });
  });
  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    await database.remove();
  });
  afterEach(async () => {
    await site.views.flush();
    await database.query('delete from views');
  });

  const tell = async (body: string, headers: Record<string, string> = {}, address = '192.0.2.7') => {
    const request = new Request(`${origin}${viewsPath}`, {
      method: 'POST',
      headers: { ...browser, ...headers },
      body,
    });
    return (await site.app.fetch(request, { address })).status;
  };
  const list = async () => {
    await site.views.flush();
    return database.query(
      'select kind, path, referrer, source, medium, campaign, count from views order by kind, path, source',
    );
  };

  test('keeps sums: page, site, campaign, and messages by campaign alone', async () => {
    const campaign = 'Letter\nMail\nSpring Audit';
    for (const body of [
      home,
      `view\n/\nwww.search.example\n${campaign}`,
      `view\n/\nsearch.example\n${campaign}`,
      'view\n/contact\nwww.example.com\n\n\n',
      'view\n/contact',
      'view\n/no/such/page?token=secret\n\n\n\n',
      'view\n/blog/a-post\n\n\n\n',
      'view\n/blog/no-such-post\n\n\n\n',
      `message\n/contact\nsearch.example\n${campaign}`,
      'message\n/contact\n\n\n\n',
    ]) {
      expect(await tell(body)).toBe(204);
    }
    const none = { referrer: '', source: '', medium: '', campaign: '' };
    const named = { source: 'letter', medium: 'mail', campaign: 'spring audit' };
    expect(await list()).toEqual([
      { kind: 'message', path: '', referrer: '', ...named, count: 1 },
      { kind: 'view', path: '/', ...none, count: 1 },
      { kind: 'view', path: '/', referrer: 'search.example', ...named, count: 2 },
      { kind: 'view', path: '/404', ...none, count: 2 },
      { kind: 'view', path: '/blog/a-post', ...none, count: 1 },
      { kind: 'view', path: '/contact', ...none, count: 2 },
    ]);
    expect(lines.filter(line => /192\.0\.2|secret|letter|Mozilla/i.test(line))).toEqual([]);
    expect(await database.query("select * from rate_counts where client <> 'everybody'")).toEqual([]);
  });

  test.each([
    ['a browser with Global Privacy Control', { 'sec-gpc': '1' }],
    ['a browser with Do Not Track', { dnt: '1' }],
    ['a page that is only fetched ahead', { 'sec-purpose': 'prefetch;prerender' }],
    [
      'a search engine',
      { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1) Chrome/150.0 Safari/537.36' },
    ],
    ['a browser that nobody looks at', { 'user-agent': 'Mozilla/5.0 HeadlessChrome/150.0 Safari/537.36' }],
    ['a measuring tool', { 'user-agent': 'Mozilla/5.0 (Linux) Chrome/150.0 Chrome-Lighthouse' }],
    ['a script', { 'user-agent': 'python-requests/2.32' }],
    ['whoever says nothing of themselves', { 'user-agent': '' }],
  ])('is answered, and does not count, from %s', async (_, headers) => {
    expect(await tell(home, headers as Record<string, string>)).toBe(204);
    expect(await list()).toEqual([]);
  });

  test('counts a telephone whose maker ends in bot', async () => {
    await tell(home, { 'user-agent': 'Mozilla/5.0 (Linux; Android 14; CUBOT KINGKONG) Chrome/150.0 Mobile' });
    expect(await list()).toHaveLength(1);
  });

  test('refuses what no page of ours sends', async () => {
    expect(await tell(home, { 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await tell(home, { 'content-type': 'application/json' })).toBe(415);
    expect(await tell(`view\n/\n${'a'.repeat(20_000)}`)).toBe(413);
    expect(await tell('visitor\n/')).toBe(204);
    expect(await tell('')).toBe(204);
    expect(await list()).toEqual([]);
  });

  test('stops counting somebody who looks without end, and nobody else', async () => {
    const most = rateLimits.perClient.view;
    for (let told = 0; told < most + 5; told += 1) expect(await tell(home, {}, '192.0.2.9')).toBe(204);
    await tell(home, {}, '192.0.2.10');
    expect(await list()).toMatchObject([{ count: most + 1 }]);
  });

  test('is not there where nothing is to be counted', async () => {
    const uncounted = await wire(testConfig({ ...database.env, VIEWS: 'off' }), { log, store: site.store });
    const request = new Request(`${origin}${viewsPath}`, { method: 'POST', headers: browser, body: home });
    expect((await uncounted.app.fetch(request)).status).toBe(404);
  });
});
