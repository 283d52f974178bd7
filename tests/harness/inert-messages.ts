import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { revealControls } from '../../src/lib/control-characters.ts';
import type { TestDesk } from './desk.ts';
import { findControlCharacters } from './injection-checks.ts';
import { watchPage } from './page.ts';
import { newMessage } from './sample-message.ts';

const email = 'person@example.com';
const active = 'main :is(script, style, iframe, object, img, svg, base, template)';

/** Shows messages whose every field is hostile on each page that quotes them: nothing of them works. */
export async function expectInert(desk: TestDesk, browser: Browser, texts: readonly string[]): Promise<void> {
  const page = await desk.openPage(browser, { viewport: { width: 390, height: 800 } });
  const problems = watchPage(page, desk.origin);
  for (const [index, text] of texts.entries()) {
    const { messages } = desk.services.domainDeps;
    const received_at = new Date(Date.now() + index).toISOString();
    const fields = { name: text, email: text, service: text, message: text, received_at };
    const { reference } = await messages.add(newMessage(fields));
    const other = await messages.add(newMessage({ ...fields, email, state: 'closed' }));
    for (const one of [reference, other.reference]) await messages.addNote(one, text, received_at);
    await visit(`/messages/${reference}`, text);
    expect(await page.locator('[data-text]').textContent()).toBe(revealControls(text));
    await visit(`/messages/delete?reference=${reference}`, text);
    const isLast = index === texts.length - 1;
    if (index % 3 === 2 || isLast) await visit('/', text);
    if (index % 50 === 49 || isLast) await visit('/messages', `messages up to ${index}`);
  }
  const person = (await desk.post('/privacy', { email })).headers.get('location');
  for (const path of [person, `${person}/erase`]) await visit(`${path}`, 'privacy');
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
