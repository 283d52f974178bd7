import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { contactPath, honeypotField, tokenHeader, tokenPath } from '../../src/api/contract.ts';
import { hydrate, visitServer } from '../harness/page.ts';
import { startSite } from '../harness/site.ts';

/** A fake clock, so that a busy machine does not change the form's age. */
const startedAt = new Date();
const clock = { now: () => startedAt };

const visit = visitServer(() => startSite({ RATE_LIMIT: 'on' }, { clock }));
const honeypot = (page: Page) => page.locator(`main [name=${honeypotField}]`);
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click();

/** Waits for hydration and the form token, so that all spam signals are available. */
async function open(page: Page, path = '/contact'): Promise<void> {
  const token = page.waitForResponse(`**${tokenPath}`);
  await page.goto(path);
  await hydrate(page);
  await (await token).finished();
}

async function expectSent(page: Page): Promise<void> {
  await page.locator(':text("Sent Successfully"):visible').waitFor();
}

async function findMessages(name: string) {
  const rows = await visit.site.store.messages.list({}, { limit: 100 });
  return rows.filter(row => row.name === name);
}

async function findStates(name: string): Promise<string[]> {
  return (await findMessages(name)).map(({ state }) => state);
}

/** Fills in every text field, visible or not, as some autofill programs do. */
async function fillEverything(page: Page, known: Record<string, string> & { name: string }): Promise<void> {
  const values: typeof known = { email: 'zoe@example.com', ...known };
  await page.locator('main form').evaluate((form, values) => {
    for (const input of form.querySelectorAll<HTMLInputElement>('[type=text], [type=email], textarea')) {
      input.value = values[input.name] ?? values.name;
      for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
    }
  }, values);
}

test('a form that a program filled in, honeypot and all, and that is sent at once is accepted', async () => {
  const { page } = visit;
  for (const path of ['/contact', '/creator']) {
    const name = `Autofill on ${path}`;
    await open(page, path);
    await fillEverything(page, { name, message: 'Please call me back.' });
    const [request] = await Promise.all([page.waitForRequest(`**${contactPath}`), send(page)]);
    await expectSent(page);
    expect(request.postDataJSON()).toMatchObject({ name, [honeypotField]: name });
    expect(request.headers()[tokenHeader]).toBeTruthy();
    expect(await findStates(name)).toEqual(['new']);
    expect(await honeypot(page).inputValue()).toBe('');
  }
});

test('a message of a screen reader user with the keyboard alone is accepted', async () => {
  const { page } = visit;
  await open(page);
  const fields = (await page.locator('main form').ariaSnapshot()).match(/(?<=textbox ")[^"]+/g);
  expect(fields).toEqual(['Name', 'Email', 'Message', 'Leave this field empty']);
  await field(page, 'Name').focus();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'));
  const walked: unknown[] = [];
  for (const text of ['Keyboard', 'zoe@example.com', 'Which tests do you do?', '']) {
    walked.push(await focused());
    await page.keyboard.type(text);
    if (text) await page.keyboard.press('Tab');
  }
  expect(walked).toEqual(['name', 'email', 'message', null]);
  await page.keyboard.press('Shift+Tab');
  expect(await focused()).toBe('message');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expectSent(page);
  expect(await findStates('Keyboard')).toEqual(['new']);
});

test('a bot that fills in everything with links at once gets the usual response and is quarantined', async () => {
  const { page } = visit;
  const spam = 'Cheap https://a.example https://b.example https://c.example https://d.example';
  await open(page);
  await fillEverything(page, { name: 'Fast robot', message: spam, [honeypotField]: spam });
  const answered = page.waitForResponse(`**${contactPath}`);
  await send(page);
  expect((await answered).status()).toBe(200);
  await expectSent(page);
  expect(await findMessages('Fast robot')).toMatchObject([
    { state: 'quarantined', quarantine_reason: 'honeypot, honeypot text, fast, links' },
  ]);
});

test('the honeypot is invisible and takes no space, also in forced colours and at 400 %', async () => {
  const page = await visit.newPage({ javaScriptEnabled: false, forcedColors: 'active' });
  await page.goto('/contact');
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await honeypot(page).scrollIntoViewIfNeeded();
    const seen = await honeypot(page).evaluate(input => {
      const { left, top } = input.getBoundingClientRect();
      const shown = document.elementFromPoint(left + 4, top + 4);
      return { isShown: shown === input, scrollWidth: document.documentElement.scrollWidth };
    });
    expect(seen).toEqual({ isShown: false, scrollWidth: width });
    const [hint, message] = await Promise.all(
      ['#contact-hint', '#contact-message'].map(id => page.locator(id).boundingBox()),
    );
    expect((hint?.y ?? 0) - (message?.y ?? 0) - (message?.height ?? 0)).toBeLessThan(40);
  }
});
