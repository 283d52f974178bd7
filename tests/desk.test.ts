import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDesk, type TestDesk } from './harness/desk.ts';
import { sendRaw } from './harness/raw-http.ts';

let desk: TestDesk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk[Symbol.asyncDispose]());

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
  expect(cookie).toMatch(/^desk-[0-9a-f]{12}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  await expectRefused(link);
  const page = await desk.app.request('/', { headers: { ...local, cookie: cookie.split(';')[0] ?? '' } });
  expect(page.status).toBe(200);
});

test.each([
  ['no cookie', {}],
  ['another desk’s cookie', { cookie: `desk-000000000000=${'A'.repeat(43)}` }],
])('with %s no page is shown', async (_, headers) => {
  for (const path of ['/', '/messages', '/no-such-page']) {
    const response = await desk.app.request(path, { headers: { ...local, ...headers } });
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
  expect((await desk.app.request('/no-such-page', { method: 'POST', headers })).status).toBe(status);
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
