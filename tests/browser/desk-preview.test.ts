import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { previewBase } from '../../src/apps/desk/words/preview-path.ts';
import { findAxeViolations } from '../harness/axe.ts';
import { shareBrowser } from '../harness/browser.ts';
import { startDesk } from '../harness/desk.ts';
import { disposeAfterAll } from '../harness/dispose-after-all.ts';
import { watchPage } from '../harness/page.ts';
import { findKeyboardProblems } from './keyboard.ts';

const desk = await disposeAfterAll(startDesk());

const frame = (page: Page) => page.frameLocator('iframe:not([data-loading])');
const accent = (page: Page, theme: string) => page.locator(`[name="${theme}.accent"]`);

test('the page beside the colours follows what is typed, keeps its place, and runs no script', async () => {
  const page = await desk.openPage(await shareBrowser(), { viewport: { width: 1440, height: 900 } });
  const problems = watchPage(page, desk.origin);
  const readColours = () => readFileSync(join(desk.root, 'content/brand/brand.yaml'), 'utf8');
  const before = readColours();
  const framed = page.waitForResponse(answer => answer.url().includes(`${previewBase}/?draft=`));
  await page.goto('/words/brand');
  const policy = (await framed).headers()['content-security-policy'];
  for (const part of ["default-src 'none'", "script-src 'none'", "form-action 'none'", "ancestors 'self'"])
    expect(policy).toContain(part);
  const button = frame(page).locator('.hero-action');
  await button.waitFor({ timeout: 30_000 });
  expect(await findKeyboardProblems(page)).toEqual([]);
  const root = frame(page).locator(':root');
  await root.evaluate(element => element.scrollTo(0, 700));

  await accent(page, 'ink').fill('#ffc14d');
  const colour = () => button.evaluate(element => getComputedStyle(element).backgroundColor);
  await expect.poll(colour).toBe('rgb(255, 193, 77)');
  expect(await root.evaluate(element => element.scrollTop)).toBe(700);
  expect(await frame(page).locator('script').count()).toBe(0);

  await accent(page, 'paper').fill('#e0a040');
  await page
    .getByText(/accent on raised background: a contrast of 1\.\d, .* less than the 4\.5 needed/i)
    .waitFor();
  await page.getByRole('button', { name: /the nearest that can be read/ }).press('Enter');
  await page.getByText('All text can be read on its background.').waitFor();

  await page.getByRole('button', { name: 'Phone' }).press('Enter');
  expect(await root.evaluate(() => innerWidth)).toBe(390);
  await page.getByLabel('Page to show').selectOption('/faq');
  await frame(page).locator('[data-page=faq]').waitFor();
  await frame(page).locator('footer a[href$="/privacy"]').first().click();
  await frame(page).locator('[data-page=privacy]').waitFor();
  await expect.poll(() => page.getByLabel('Page to show').inputValue()).toBe('/privacy');

  expect(readColours()).toBe(before);
  await page.getByRole('button', { name: 'Save the colours' }).press('Enter');
  await page.getByText('The colours are saved.').waitFor();
  expect(readColours()).toContain('accent: "#ffc14d"');
  expect(problems).toEqual([]);
}, 60_000);

test('a picture is added by dropping it or with the keyboard, with a description', async () => {
  const page = await desk.openPage(await shareBrowser(), { viewport: { width: 390, height: 844 } });
  await page.goto('/words/images');
  const zone = page.getByRole('group', { name: 'Add a picture' });
  const drop = async (name: string, bytes: Buffer) => {
    const data = await page.evaluateHandle(
      ([name, base64]) => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))], name));
        return data;
      },
      [name, bytes.toString('base64')] as const,
    );
    await zone.dispatchEvent('drop', { dataTransfer: data });
  };
  // desk-site.test.ts has the files that are refused.
  await drop('Plan.png', await createCanvas(60, 40).encode('png'));
  await page.getByLabel('What the picture shows').fill('A plan');
  expect(await findAxeViolations(page, { hasContrast: false })).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByLabel('Paste this line').inputValue()).toBe('![A plan](plan.png)');
  const chooser = page.waitForEvent('filechooser');
  await page.keyboard.press('Space');
  await (await chooser).setFiles({ name: 'b.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await page.getByLabel('What the picture shows').fill('None');
  await page.getByRole('button', { name: 'Add the picture' }).press('Enter');
  await page.getByText(/^b\.png (is|cannot)/).waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Add the picture');
});
