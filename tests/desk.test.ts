import { parseSync, Visitor } from 'rolldown/utils';
import { expect, test } from 'vitest';
import { startDesk } from './harness/desk.ts';
import { disposeAfterAll } from './harness/dispose-after-all.ts';
import { sendRaw } from './harness/raw-http.ts';
import { readSources } from './harness/repository-files.ts';

const desk = await disposeAfterAll(startDesk());
const local = { host: 'localhost:4600' };

test('the newest link signs in, once, with a strict cookie that no script can read', async () => {
  const signIn = (link: string) => desk.app.request(link, { headers: local });
  const expectRefused = async (link: string) => {
    const { status, headers } = await signIn(link);
    expect([link, status, headers.get('set-cookie')]).toEqual([link, 401, null]);
  };
  const [earlier, link] = [desk.createLink(), desk.createLink()];
  for (const guess of [earlier, '/sign-in', '/sign-in?token=', `/sign-in?token=${'A'.repeat(43)}`])
    await expectRefused(guess);
  const { status, headers } = await signIn(link);
  const cookie = headers.get('set-cookie') ?? '';
  expect(status).toBe(200);
  expect(cookie).toMatch(/^desk=[\w-]{43}; Path=\/[\w-]{43}\/; HttpOnly; SameSite=Strict$/);
  await expectRefused(link);
  const page = await desk.app.request(`${desk.prefix}/`, {
    headers: { ...local, cookie: cookie.split(';')[0] ?? '' },
  });
  expect(page.status).toBe(200);
});

test('only the answer to a valid link tells where the desk is', async () => {
  const wrong = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
  const { cookie } = desk;
  const page = await (await desk.app.request('/', { headers: local })).text();
  const assets = [...page.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(assets.length).toBeGreaterThan(1);
  const refused: [string, RequestInit][] = [
    ...['/', '/messages', '/sign-in', `/sign-in?token=${'A'.repeat(43)}`, '/assets/none.js'].map(
      (path): [string, RequestInit] => [path, { headers: { ...local, cookie } }],
    ),
    ...['', '/', '/messages', '/session', '/none'].map((path): [string, RequestInit] => [
      desk.prefix + path,
      { headers: local },
    ]),
    ['/', { headers: { ...local, cookie, accept: 'application/json' } }],
    ['/', { headers: { ...local, cookie, ...wrong } }],
    ['/', { headers: { host: 'desk.example', cookie } }],
    ['/messages/change', { method: 'POST', headers: { ...local, cookie, 'sec-fetch-site': 'same-origin' } }],
  ];
  for (const [path, init] of refused) {
    const { status, headers, text } = await readAll(await desk.app.request(path, init));
    expect([path, status >= 400]).toEqual([path, true]);
    expect(headers + text, path).not.toContain(desk.prefix.slice(1));
  }
  for (const path of assets) {
    const { status, headers, text } = await readAll(await desk.app.request(path, { headers: local }));
    expect([path, status]).toEqual([path, 200]);
    expect(headers + text, path).not.toContain(desk.prefix.slice(1));
  }
});

async function readAll(response: Response): Promise<{ status: number; headers: string; text: string }> {
  return {
    status: response.status,
    headers: JSON.stringify([...response.headers]),
    text: await response.text(),
  };
}

const attributesWithUrl = ['href', 'src', 'action', 'formAction'];
/** What leads elsewhere: a mail program, the site, a picture that is being dropped, and the page itself. */
const elsewhere = /^(replyUrl|siteUrl|picture|`#.*`|typeof location === 'undefined' \? '' : location\.href)$/;

test('links, forms and frames of every view go through deskUrl, and requests through fetchDesk', () => {
  const views = readSources().filter(({ path }) => /^src\/(apps|features\/[^/]+)\/desk\/.*\.tsx$/.test(path));
  const found: string[] = [];
  for (const { path, text } of views) {
    const { program } = parseSync(path, text);
    new Visitor({
      JSXOpeningElement({ name, attributes }) {
        // A component hands its props on to such an element.
        if (name.type !== 'JSXIdentifier' || !/^[a-z]/.test(name.name)) return;
        for (const attribute of attributes) {
          if (attribute.type !== 'JSXAttribute' || !attribute.value) continue;
          if (!attributesWithUrl.includes(String(attribute.name.name))) continue;
          const value = text.slice(attribute.value.start, attribute.value.end).replaceAll(/^\{|\}$/g, '');
          if (!/^"#|^deskUrl\(/.test(value) && !elsewhere.test(value)) found.push(`${path}: ${value}`);
        }
      },
      CallExpression({ callee }) {
        const isFetch = callee.type === 'Identifier' && callee.name === 'fetch';
        if (isFetch && !path.endsWith('/fetch-desk.tsx')) found.push(`${path}: fetch`);
      },
    }).visit(program);
  }
  expect(found).toEqual([]);
  expect(views.length).toBeGreaterThan(50);
});

test.each([
  ['no cookie', {}],
  ['another desk’s cookie', { cookie: `desk=${'A'.repeat(43)}` }],
])('with %s no page is shown', async (_, headers) => {
  for (const path of ['/', '/messages', '/no-such-page']) {
    const response = await desk.app.request(desk.prefix + path, { headers: { ...local, ...headers } });
    expect(response.status).toBe(401);
  }
});

test.each([
  ['127.0.0.1:8080', 200],
  ['[::1]:4600', 200],
  ['LOCALHOST:4600', 200],
  ['desk.example', 421],
  ['127.0.0.1.example', 421],
  ['127.0.0.1:4600@evil.example', 421],
  ['', 421],
])('the host name %j is answered with %i', async (host, status) => {
  expect((await desk.request('/', { headers: { host } })).status).toBe(status);
});

test('the host name is the one that was sent, whatever the request line says, and no other address is served', async () => {
  const { port } = new URL(desk.origin);
  const request = 'GET http://localhost/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n';
  expect((await sendRaw(Number(port), request, 1)).statuses).toEqual([421]);
  // A server on all addresses would have this one, too.
  await expect(fetch(`http://127.0.0.2:${port}/`)).rejects.toThrow();
});

test.each([
  ['POST', 'same-origin', 'navigate', 'document', 404],
  ['POST', 'same-site', 'navigate', 'document', 403],
  ['POST', 'cross-site', 'navigate', 'document', 403],
  ['POST', 'none', 'navigate', 'document', 403],
  ['GET', 'cross-site', 'navigate', 'document', 404],
  ['GET', 'cross-site', 'navigate', 'iframe', 403],
  ['GET', 'same-site', 'no-cors', 'image', 403],
])(
  'a %s from a page that is %s, to %s a %s, is answered with %i',
  async (method, site, mode, dest, status) => {
    const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest };
    expect((await desk.request('/no-such-page', { method, headers })).status).toBe(status);
  },
);

test.each([
  ['http://127.0.0.1:4600', 404],
  ['http://127.0.0.1:3000', 403],
  ['null', 403],
  ['', 403],
])('without fetch metadata a post from %j is answered with %i', async (origin, status) => {
  const headers = { host: '127.0.0.1:4600', cookie: desk.cookie, ...(origin && { origin }) };
  expect((await desk.app.request(`${desk.prefix}/no-such-page`, { method: 'POST', headers })).status).toBe(
    status,
  );
});

test('every response forbids scripts of others, frames and caching', async () => {
  for (const path of ['/', '/no-such-page'])
    expect(Object.fromEntries((await desk.request(path)).headers)).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /default-src 'none'; script-src 'self'.*frame-ancestors 'none'/,
      ),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
});
