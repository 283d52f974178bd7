import { afterAll, expect, test } from 'vitest';
import { shareBrowser } from '../harness/browser.ts';
import { startDesk } from '../harness/desk.ts';
import { watchPage } from '../harness/page.ts';
import { newMessage } from '../harness/sample-message.ts';

const desk = await startDesk();
const { messages, outbox } = desk.services.store;
const weekMs = 7 * 24 * 60 * 60 * 1000;
for (let week = 0; week < 4; week++) {
  const received_at = new Date(Date.now() - week * weekMs).toISOString();
  await messages.add(newMessage({ received_at, receivers: ['sheet', 'mail'] }));
  await messages.add(newMessage({ received_at, state: 'quarantined' }));
}
const now = new Date().toISOString();
const [claimed] = await outbox.claim({ receiver: 'mail', now, lease: 'x', leaseUntil: now, limit: 1 });
const failure = { state: 'failed', reason: '550', attempts: 9, isAmbiguous: false } as const;
if (claimed) await outbox.settle(claimed, { ...failure, isPossibleDuplicate: false, now });
const page = await desk.openPage(await shareBrowser(), { viewport: { width: 390, height: 844 } });
const problems = watchPage(page, desk.origin);
afterAll(async () => {
  await desk[Symbol.asyncDispose]();
  expect(problems).toEqual([]);
});

test('a link signs in, the overview leads to what is to be done, and a backup is made and downloaded', async () => {
  await page.context().clearCookies();
  await page.goto(desk.createLink());
  await page.waitForURL(`${desk.origin}${desk.prefix}/`);
  await page.getByRole('link', { name: 'Make one' }).press('Enter');
  await page.getByRole('button', { name: 'Make a backup now' }).press('Enter');
  await page.getByRole('status').filter({ hasText: 'The backup is complete' }).waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: /^Download the backup of/ }).press('Enter');
  expect((await downloading).suggestedFilename()).toMatch(/^site-\d{4}-\d{2}-\d{2}-\d{6}\.sqlite$/);
  await page.getByRole('button', { name: 'Send a test message' }).press('Enter');
  await page.getByRole('status').filter({ hasText: 'Every receiver took' }).waitFor();
});

test('a plot and its table agree, also when one week alone has data', async () => {
  await page.goto('/figures?weeks=12');
  const section = page.getByRole('region', { name: 'Messages by outcome', exact: true });
  const rows = await section
    .locator('tbody tr')
    .evaluateAll(all => all.map(row => [...row.children].slice(1, 4).map(cell => Number(cell.textContent))));
  expect(rows).toHaveLength(12);
  expect(await section.locator('rect[x]').count()).toBe(rows.flat().filter(Boolean).length);
  const heights = await page
    .locator('#failures rect[x]')
    .evaluateAll(all => all.map(it => it.getBoundingClientRect().height));
  expect(heights).toEqual([expect.closeTo(150, -1)]);
});
