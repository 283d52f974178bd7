import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAxeViolations } from '../harness/axe.ts';
import { shareBrowser } from '../harness/browser.ts';
import { startDesk, type TestDesk } from '../harness/desk.ts';
import { newMessage } from '../harness/sample-message.ts';

let desk: TestDesk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk[Symbol.asyncDispose]());

const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

async function find(page: Page, email: string): Promise<void> {
  await page.goto('/privacy');
  await page.getByLabel('Email address of the person').fill(email);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'What is stored' }).waitFor();
}

test('a person is found, exported, corrected and erased', async () => {
  const email = 'zoe@example.com';
  const { messages } = desk.services.store;
  const message = newMessage({ name: 'Zoe', email, message: hostile });
  const other = newMessage({ name: 'Max', email: 'max@example.com', message: `Ask ${email}.` });
  await messages.add(message);
  await messages.add(other);
  const page = await desk.openPage(await shareBrowser());
  const checkAccess = async (hasContrast = false) =>
    expect(await findAxeViolations(page, { hasContrast })).toEqual([]);
  await find(page, email);
  await checkAccess(true);
  expect(page.url()).not.toContain('zoe');
  expect(await page.getByText(hostile).count()).toBe(1);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as a file' }).click();
  expect(readFileSync(await (await download).path(), 'utf8')).toContain(message.reference);

  await page.getByLabel('Right name').fill('Zoë');
  await page.getByRole('button', { name: 'Correct…' }).click();
  await checkAccess();
  await page.getByRole('button', { name: 'Correct 1 message' }).click();
  await page.getByText('Corrected: 1 message').waitFor();
  await page.getByRole('link', { name: 'See what is stored now' }).click();
  await page.getByRole('link', { name: 'Erase…' }).click();
  await checkAccess(true);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Erase for good' }).click();
  await page.getByText('Erased: 2 messages').waitFor();
  await checkAccess();
  expect(await messages.get(other.reference)).toBe(undefined);
});
