import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { revealControls } from '../../src/lib/control-characters.ts';
import type { TestDesk } from './desk.ts';
import { findControlCharacters } from './injection-checks.ts';
import { watchPage } from './page.ts';
import { newMessage } from './sample-message.ts';

const active = 'main :is(script, style, iframe, object, img, svg, base, template)';

/** Shows messages whose every field is hostile, in the list, alone and before deletion: nothing of them works. */
export async function expectInert(desk: TestDesk, browser: Browser, texts: readonly string[]): Promise<void> {
  const page = await desk.openPage(browser, { viewport: { width: 390, height: 800 } });
  const problems = watchPage(page, desk.origin);
  for (const [index, text] of texts.entries()) {
    const fields = { name: text, email: text, service: text, message: text };
    const { reference } = await desk.services.domainDeps.messages.add(newMessage(fields));
    await desk.services.domainDeps.messages.addNote(reference, text, new Date().toISOString());
    await visit(`/messages/${reference}`, text);
    expect(await page.locator('[data-text]').textContent()).toBe(revealControls(text));
    await visit(`/messages/delete?reference=${reference}`, text);
    const isPageFull = index % 50 === 49 || index === texts.length - 1;
    if (isPageFull) await visit('/messages', `messages up to ${index}`);
  }
  expect(problems).toEqual([]);

  async function visit(path: string, text: string): Promise<void> {
    const html = await (await desk.request(path)).text();
    expect(findControlCharacters(html), text).toEqual([]);
    await page.goto(path);
    expect(await page.locator(active).count(), text).toBe(0);
    const measured = `['obeyed' in globalThis, document.documentElement.scrollWidth]`;
    expect(await page.evaluate(measured), text).toEqual([false, 390]);
  }
}
