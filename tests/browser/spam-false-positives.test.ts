import { expect, test } from 'vitest';
import { contactPath, tokenHeader, tokenPath } from '../../src/features/messages/contract.ts';
import { honeypotField } from '../../src/ui/contract.ts';
import { hydrate, visitServer } from '../harness/page.ts';
import { startSite } from '../harness/site.ts';

/** A fake clock, so that a busy machine does not change the form's age. */
const startedAt = new Date();
const clock = { now: () => startedAt };

/** What browsers do to the form; src/features/messages/api/contact-spam.test.ts has what is quarantined, and what is not. */
const visit = visitServer(() => startSite({ RATE_LIMIT: 'on' }, { clock }));

test('a form that a program filled in, honeypot and all, and that is sent at once is accepted', async () => {
  const { page } = visit;
  const token = page.waitForResponse(`**${tokenPath}`);
  await visit.open('/contact');
  await hydrate(page);
  await (await token).finished();
  // Every text field, visible or not, as some autofill programs do.
  const values: Record<string, string> = { email: 'zoe@example.com', message: 'Please call me back.' };
  await page.locator('main form').evaluate((form, values) => {
    for (const input of form.querySelectorAll<HTMLInputElement>('[type=text], [type=email], textarea')) {
      input.value = values[input.name] ?? 'Zoë';
      for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
    }
  }, values);
  const sent = page.waitForRequest(`**${contactPath}`);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.locator(':text("Sent Successfully"):visible').waitFor();
  const request = await sent;
  expect(request.postDataJSON()).toMatchObject({ name: 'Zoë', [honeypotField]: 'Zoë' });
  expect(request.headers()[tokenHeader]).toBeTruthy();
  expect(await visit.site.store.messages.list({}, { limit: 100 })).toMatchObject([{ state: 'new' }]);
  expect(await page.locator(`main [name=${honeypotField}]`).inputValue()).toBe('');
});

test('the honeypot says what it is, the keyboard passes it by, and it is invisible, also in forced colours and at 400 %', async () => {
  const page = await visit.newPage({ javaScriptEnabled: false, forcedColors: 'active' });
  await page.goto('/contact');
  const honeypot = page.locator(`main [name=${honeypotField}]`);
  const fields = (await page.locator('main form').ariaSnapshot()).match(/(?<=textbox ")[^"]+/g);
  expect(fields).toEqual(['Name', 'Email', 'Message', 'Leave this field empty']);
  await page.getByLabel('Message', { exact: true }).focus();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Send');
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await honeypot.scrollIntoViewIfNeeded();
    const seen = await honeypot.evaluate(input => {
      const { left, top } = input.getBoundingClientRect();
      const shown = document.elementFromPoint(left + 4, top + 4);
      return { isShown: shown === input, scrollWidth: document.documentElement.scrollWidth };
    });
    expect(seen).toEqual({ isShown: false, scrollWidth: width });
  }
});
