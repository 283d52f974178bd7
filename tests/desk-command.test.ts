import { expect, test } from 'vitest';
import { copyProject, type StartedProcess } from './harness/process.ts';

/** Signs in by the link that the command prints. */
async function signIn({ output }: StartedProcess): Promise<{ origin: string; cookie: string }> {
  const read = () => /http:\/\/localhost:\d+\/\S+/.exec(output())?.[0];
  await expect.poll(read, { timeout: 30_000 }).toBeTruthy();
  const link = read() ?? '';
  const cookies = [await fetch(link), await fetch(link)].map(({ headers }) => headers.get('set-cookie'));
  expect(cookies).toEqual([expect.stringMatching(/^\S+=\S+; .*HttpOnly.*SameSite=Strict/i), null]);
  return { origin: new URL(link).origin, cookie: cookies[0]?.split(';')[0] ?? '' };
}

test('two desks beside a running site print a link each, show a new message, and end with Ctrl+C', async () => {
  await using copy = copyProject();
  const site = copy.start();
  const address = await site.address();
  const desks = [1, 2].map(() => copy.start({}, { script: 'src/cli/desk.ts' }));
  const message = { name: 'Ada Example', email: 'ada@example.com', message: 'Hello' };
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const sent = await fetch(`${address}/api/contact`, {
    ...{ method: 'POST', headers, body: JSON.stringify(message) },
  });
  expect(sent.status).toBe(200);
  // Both run before the first is stopped: two at once cannot have one port.
  const signedIn = await Promise.all(desks.map(async desk => ({ desk, ...(await signIn(desk)) })));
  expect(new Set(signedIn.map(({ origin }) => origin)).size).toBe(2);
  for (const { desk, origin, cookie } of signedIn) {
    const { port } = new URL(origin);
    for (const host of ['127.0.0.1', '[::1]']) {
      const page = await fetch(`http://${host}:${port}/messages`, { headers: { cookie } });
      expect(await page.text(), host).toContain('Ada Example');
    }
    desk.child.kill('SIGINT');
    expect(await desk.ended, desk.output()).toBe(0);
  }
}, 60_000);
