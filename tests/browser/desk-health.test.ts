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
afterAll(async () => {
  await desk[Symbol.asyncDispose]();
  expect(errors).toEqual([]);
});

const isHydrated = () =>
  page.locator('main').evaluate(main => Object.keys(main).some(key => key.startsWith('__react')));

test.each(['/', '/figures', '/health', '/health/launch', '/health/settings/SMTP_URL'])(
  '%s is accessible, fits a phone and a wide window, and hydrates',
  async path => {
    await page.goto(path);
    await expect.poll(isHydrated).toBe(true);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    for (const summary of await page.locator('summary').all()) await summary.click();
    // The other two consist of what these show.
    const hasContrast = ['/', '/figures', '/health'].includes(path);
    expect(await findAxeViolations(page, { hasContrast })).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
  },
);

test('a link signs in, the overview leads to what is to be done, and a backup is made and downloaded', async () => {
  await page.context().clearCookies();
  await page.goto(desk.createLink());
  await page.waitForURL(`${desk.origin}/`);
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

test('a test message is sent, and what waits for a receiver is tried again', async () => {
  await page.goto('/health');
  await page.getByRole('button', { name: 'Send a test message' }).click();
  await page.getByRole('status').filter({ hasText: 'Every receiver took' }).waitFor();
  await page.getByRole('button', { name: 'Try again now: Sheet' }).click();
  await page.getByRole('status').filter({ hasText: 'They are due now' }).waitFor();
});
