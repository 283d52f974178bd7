import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAxeViolations } from '../harness/axe.ts';
import { shareBrowser } from '../harness/browser.ts';
import { startDesk, type TestDesk } from '../harness/desk.ts';
import { newMessage } from '../harness/sample-message.ts';

let desk: TestDesk;
let page: Page;
const errors: string[] = [];

beforeAll(async () => {
  desk = await startDesk();
  const { messages, audits } = desk.services.store;
  const weekMs = 7 * 24 * 60 * 60 * 1000;
  for (let week = 0; week < 12; week++) {
    const received_at = new Date(Date.now() - week * weekMs).toISOString();
    const letter = 'ABCDEFGHJKMN'.charAt(week);
    await messages.add(
      newMessage({
        ...{ reference: `${letter}AAAA-AAAAA`, received_at, receivers: ['sheet', 'mail'] },
        ...(week % 3 === 0 && { audit_report: 'r' }),
      }),
    );
    await messages.add(newMessage({ reference: `${letter}BBBB-BBBBB`, received_at, state: 'quarantined' }));
  }
  const measured_at = new Date().toISOString();
  await audits.add({ id: 'r', domain: 'example.com', measured_at, report: '{}' });
  await audits.addLink({ hash: 'h', report: 'r', created_at: measured_at, expires_at: '2999' });
  page = await desk.openPage(await shareBrowser(), { viewport: { width: 390, height: 844 } });
  page.on('pageerror', error => errors.push(String(error)));
  page.on('console', line => line.type() === 'error' && errors.push(line.text()));
});
afterAll(() => desk[Symbol.asyncDispose]());

test.each(['/', '/figures', '/health', '/health/launch', '/health/settings/SMTP_URL'])(
  '%s is accessible, fits a phone and a wide window, and hydrates',
  async path => {
    await page.goto(path, { waitUntil: 'networkidle' });
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    for (const summary of await page.locator('summary').all()) await summary.click();
    expect(await findAxeViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
  },
);

test('the overview leads to what is to be done, and a backup is made and downloaded', async () => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Make one' }).click();
  await page.getByRole('button', { name: 'Make a backup now' }).click();
  await page.getByRole('status').filter({ hasText: 'The backup is complete' }).waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: /^Download the backup of/ }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^site-\d{4}-\d{2}-\d{2}-\d{6}\.sqlite$/);
  await page.goto('/');
  expect(await page.getByRole('link', { name: 'Make one' }).count()).toBe(0);
});

test('a plot, its table and its CSV agree, also by keyboard', async () => {
  await page.goto('/figures?weeks=12');
  const section = page.getByRole('region', { name: 'Messages by form', exact: true });
  const label = await section.getByRole('img').getAttribute('aria-label');
  await section.locator('summary').focus();
  await page.keyboard.press('Enter');
  const table = await section
    .locator('tr')
    .evaluateAll(rows => rows.map(row => [...row.children].map(cell => cell.textContent)));
  const link = await section.getByRole('link', { name: /^CSV/ }).getAttribute('href');
  const csv = await (await desk.request(link ?? '')).text();
  const records = csv.trimEnd().split('\r\n');
  expect(records).toEqual(table.map(cells => cells.map(cell => `"${cell}"`).join(',')));
  const total = (column: number) => table.slice(1).reduce((sum, cells) => sum + Number(cells[column]), 0);
  expect(label).toBe(`Messages by form: Contact form ${total(1)}, Free audit ${total(2)}`);
  const drawn = await section.locator('rect > title').allTextContents();
  expect(drawn).toHaveLength(
    table
      .slice(1)
      .flatMap(cells => cells.slice(1))
      .filter(cell => cell !== '0').length,
  );
});

test('without a script the same pages work as plain forms', async () => {
  const plain = await desk.openPage(await shareBrowser(), { javaScriptEnabled: false });
  await plain.goto('/health');
  await plain.getByRole('button', { name: 'Send a test message' }).click();
  await plain.getByRole('status').filter({ hasText: 'Every receiver took' }).waitFor();
  await plain.getByRole('button', { name: 'Try again now: Sheet' }).click();
  await plain.getByRole('status').filter({ hasText: 'They are due now' }).waitFor();
});
