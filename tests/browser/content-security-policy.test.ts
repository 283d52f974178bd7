import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { visitSite, wake } from '../harness/page.ts';

const visit = visitSite();

/** Injected HTML, with the directive that blocks it. */
const insertions: [html: string, directive: string][] = [
  ['<script>broken = 1</script>', 'script-src-elem'],
  ['<script src="ELSEWHERE/a.js"></script>', 'script-src-elem'],
  ['<b onclick="broken = 1">a</b>', 'script-src-attr'],
  ['<style>h1 { display: none }</style>', 'style-src-elem'],
  ['<b style="color: red">b</b>', 'style-src-attr'],
  ['<base href="ELSEWHERE">', 'base-uri'],
  ['<iframe src="ELSEWHERE"></iframe>', 'frame-src'],
  ['<form action="ELSEWHERE" method="post"><button id="sender">c</button></form>', 'form-action'],
];

/** What an injected script may try. */
const attempts: [script: string, directive: string][] = [
  [`document.body.innerHTML = '<b>'`, 'require-trusted-types-for'],
  [`eval('broken = 1')`, 'require-trusted-types-for'],
  [`trustedTypes.createPolicy('default', {})`, 'trusted-types'],
  [`await import('ELSEWHERE/a.js')`, 'script-src-elem'],
  [`new Image().src = 'ELSEWHERE'`, 'img-src'],
  [`await fetch('ELSEWHERE')`, 'connect-src'],
];

test('injected HTML and scripts neither run nor reach another host', async () => {
  const { page } = visit;
  visit.expectTrouble(/Content Security Policy|Trusted(HTML|Script)/i);
  visit.expectOtherOrigins();
  let connections = 0;
  await using server = createServer().on('connection', () => {
    connections += 1;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const violations: string[] = [];
  await page.exposeFunction('report', (directive: string) => violations.push(directive));
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', event => report(event.effectiveDirective))`,
  );
  await page.route('/contact', async route => {
    const response = await route.fetch();
    const inserted = insertions.map(([html]) => html.replace('ELSEWHERE', elsewhere)).join('');
    await route.fulfill({ response, body: (await response.text()).replace('</body>', `${inserted}</body>`) });
  });
  await visit.go('/contact');
  await page.locator('b').first().click();
  await page.evaluate(() => document.getElementById('sender')?.click());
  const expected = insertions.map(([, directive]) => directive);
  await expect.poll(() => violations.toSorted()).toEqual(expected.sort());
  expect(await page.locator('h1').isVisible()).toBe(true);

  await wake(page);
  for (const [script, directive] of attempts) {
    violations.length = 0;
    await page.evaluate(`new Promise(later => setTimeout(later)).then(async () => {
      ${script.replace('ELSEWHERE', elsewhere)}
    }).catch(() => undefined)`);
    await expect.poll(() => violations, { message: script }).toEqual([directive]);
  }
  expect(await page.evaluate('globalThis.broken')).toBeUndefined();
  expect(connections).toBe(0);
});
