import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareBrowser } from '../harness/browser.ts';
import { startDesk, type TestDesk } from '../harness/desk.ts';
import { watchPage } from '../harness/page.ts';
import { newMessage } from '../harness/sample-message.ts';

let desk: TestDesk;
let page: Page;
let problems: string[];

beforeAll(async () => {
  desk = await startDesk();
  const { messages, audits } = desk.services.store;
  const weekMs = 7 * 24 * 60 * 60 * 1000;
  for (let week = 0; week < 4; week++) {
    const received_at = new Date(Date.now() - week * weekMs).toISOString();
    const audit_report = week % 3 === 0 ? 'r' : null;
    await messages.add(newMessage({ received_at, audit_report, receivers: ['sheet', 'mail'] }));
    await messages.add(newMessage({ received_at, state: 'quarantined' }));
  }
  const measured_at = new Date().toISOString();
  await audits.add({ id: 'r', domain: 'example.com', measured_at, report: '{}' });
  await audits.addLink({ hash: 'h', report: 'r', created_at: measured_at, expires_at: '2999' });
  page = await desk.openPage(await shareBrowser(), { viewport: { width: 390, height: 844 } });
  problems = watchPage(page, desk.origin);
});
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

test('a plot and its table agree', async () => {
  await page.goto('/figures?weeks=12');
  const section = page.getByRole('region', { name: 'Messages by form', exact: true });
  const rows = await section
    .locator('tbody tr')
    .evaluateAll(all => all.map(row => [...row.children].slice(1).map(cell => Number(cell.textContent))));
  const [contact, audit] = [0, 1].map(column => rows.reduce((sum, cells) => sum + (cells[column] ?? 0), 0));
  const label = `Messages by form: Contact form ${contact}, Free audit ${audit}`;
  expect(await section.getByRole('img').getAttribute('aria-label')).toBe(label);
  expect(await section.locator('rect > title').count()).toBe(rows.flat().filter(Boolean).length);
});
