import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDesk, type TestDesk } from './harness/desk.ts';
import { sendRaw } from './harness/raw-http.ts';

let desk: TestDesk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk[Symbol.asyncDispose]());

const local = { host: 'localhost:4600' };

describe('the link', () => {
  test('signs in once, with a strict cookie that no script can read', async () => {
    const link = desk.createLink();
    const first = await desk.app.request(link, { headers: local });
    const cookie = first.headers.get('set-cookie') ?? '';
    expect(first.status).toBe(200);
    expect(cookie).toMatch(/^desk-[0-9a-f]{12}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    const second = await desk.app.request(link, { headers: local });
    expect(second.status).toBe(401);
    expect(second.headers.get('set-cookie')).toBe(null);
    const page = await desk.app.request('/', { headers: { ...local, cookie: cookie.split(';')[0] ?? '' } });
    expect(page.status).toBe(200);
  });

  test('is invalid once there is a newer one, and a guess is refused', async () => {
    const earlier = desk.createLink();
    desk.createLink();
    for (const link of [earlier, '/sign-in', '/sign-in?token=', `/sign-in?token=${'A'.repeat(43)}`])
      expect((await desk.app.request(link, { headers: local })).status).toBe(401);
  });
});

test.each([
  ['no cookie', {}],
  ['another desk’s cookie', { cookie: `desk-000000000000=${'A'.repeat(43)}` }],
  ['an empty cookie', { cookie: 'desk-000000000000=' }],
])('with %s no page is shown', async (_, headers) => {
  for (const path of ['/', '/messages', '/no-such-page']) {
    const response = await desk.app.request(path, { headers: { ...local, ...headers } });
    expect(response.status).toBe(401);
  }
});

test.each([
  ['127.0.0.1', 200],
  ['127.0.0.1:8080', 200],
  ['[::1]:4600', 200],
  ['LOCALHOST:4600', 200],
  ['desk.example', 421],
  ['localhost.example', 421],
  ['127.0.0.1.example', 421],
  ['127.0.0.1:4600@evil.example', 421],
  ['', 421],
])('the host name %j is answered with %i', async (host, status) => {
  expect((await desk.request('/', { headers: { host } })).status).toBe(status);
});

test('the host name is the one that was sent, whatever the request line says', async () => {
  const { port } = new URL(desk.origin);
  const request = 'GET http://localhost/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n';
  expect((await sendRaw(Number(port), request, 1)).statuses).toEqual([421]);
});

test.each<[string, Record<string, string>, number]>([
  ['of the same origin', { 'sec-fetch-site': 'same-origin' }, 404],
  ['of another port of this machine', { 'sec-fetch-site': 'same-site' }, 403],
  ['of another site', { 'sec-fetch-site': 'cross-site' }, 403],
  ['of no page', { 'sec-fetch-site': 'none' }, 403],
])('a post %s is answered with %i', async (_, headers, status) => {
  expect((await desk.request('/no-such-page', { method: 'POST', headers })).status).toBe(status);
});

test.each<[Record<string, string>, number]>([
  [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 200],
  [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, 403],
  [{ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }, 403],
])('reading with %j is answered with %i', async (headers, status) => {
  expect((await desk.request('/', { headers })).status).toBe(status);
});

test.each([
  ['http://127.0.0.1:4600', 404],
  ['http://127.0.0.1:3000', 403],
  ['https://evil.example', 403],
  ['null', 403],
  ['', 403],
])('without fetch metadata a post from %j is answered with %i', async (origin, status) => {
  const headers = { host: '127.0.0.1:4600', cookie: desk.cookie, ...(origin && { origin }) };
  expect((await desk.app.request('/no-such-page', { method: 'POST', headers })).status).toBe(status);
});

test('every response forbids scripts of others, frames and caching', async () => {
  for (const path of ['/', '/no-such-page']) {
    const { headers } = await desk.request(path);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  }
});
