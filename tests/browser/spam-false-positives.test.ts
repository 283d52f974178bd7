import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { contactPath, honeypotField, tokenHeader, tokenPath } from '../../src/api/contract.ts';
import { hydrated, visitAny, wake } from '../harness/page.ts';
import { startSite } from '../harness/site.ts';

const hourMs = 60 * 60 * 1000;
/** A fake clock, so that a busy machine does not change the form's age. */
let nowMs = Date.now();
const clock = { now: () => new Date(nowMs) };

const visit = visitAny(() => startSite({ RATE_LIMIT: 'on' }, { clock }));
const honeypot = (page: Page) => page.locator(`main [name=${honeypotField}]`);
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click();

/** Waits for hydration and the form token, so that all spam signals are available. */
async function open(page: Page, path = '/contact'): Promise<void> {
  const token = page.waitForResponse(`**${tokenPath}`);
  await page.goto(path);
  await wake(page);
  await (await token).finished();
}

async function expectSent(page: Page): Promise<void> {
  await page.locator(':text("Sent Successfully"):visible').waitFor();
}

async function findMessagesBy(name: string) {
  const rows = await visit.site.store.messages.list({}, { limit: 100 });
  return rows.filter(row => row.name === name);
}

async function findStatesOf(name: string): Promise<string[]> {
  return (await findMessagesBy(name)).map(({ state }) => state);
}

/** The reasons for which the sender's only message was quarantined. */
async function findQuarantineReasons(name: string): Promise<string[] | undefined> {
  const [message] = await findMessagesBy(name);
  expect(message?.state).toBe('quarantined');
  return message?.quarantine_reason.split(', ');
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

/** The accessible names of all text fields. */
async function readTextFields(page: Page): Promise<unknown[]> {
  const session = await page.context().newCDPSession(page);
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'main' });
  const { nodes } = await session.send('Accessibility.queryAXTree', { nodeId, role: 'textbox' });
  return nodes.filter(({ ignored }) => !ignored).map(({ name }) => name?.value);
}

describe('no legitimate visitor is quarantined', () => {
  test.each(['/contact', '/creator'])(
    'whose form on %s was filled in by a program, honeypot and all, and sent at once',
    async path => {
      const { page } = visit;
      const name = `Autofill on ${path}`;
      await open(page, path);
      await fillEverything(page, { name, message: 'Please call me back.' });
      const [request] = await Promise.all([page.waitForRequest(`**${contactPath}`), send(page)]);
      await expectSent(page);
      expect(request.postDataJSON()).toMatchObject({ name, [honeypotField]: name });
      expect(request.headers()[tokenHeader]).toBeTruthy();
      expect(await findStatesOf(name)).toEqual(['new']);
      // The form's next message starts empty.
      expect(await honeypot(page).inputValue()).toBe('');
    },
  );

  test('a screen reader user with the keyboard alone', async () => {
    const { page } = visit;
    await open(page);
    expect(await readTextFields(page)).toEqual(['Name', 'Email', 'Message', 'Leave this field empty']);
    await field(page, 'Name').focus();
    const walked: unknown[] = [];
    for (const text of ['Keyboard', 'zoe@example.com', 'Which tests do you do?', '']) {
      walked.push(await page.evaluate(() => document.activeElement?.getAttribute('name')));
      await page.keyboard.type(text);
      if (text) await page.keyboard.press('Tab');
    }
    expect(walked).toEqual(['name', 'email', 'message', null]);
    await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('message');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expectSent(page);
    expect(await findStatesOf('Keyboard')).toEqual(['new']);
  });

  test.each([
    ['as it is', ''],
    ['with a honeypot that something filled in', 'Zoë Example'],
  ])('a visitor without JavaScript, %s', async (kind, filled) => {
    const page = await visit.open({ javaScriptEnabled: false });
    const name = `No JavaScript, ${kind}`;
    await page.goto('/contact');
    await field(page, 'Name').fill(name);
    await field(page, 'Message').fill('How long does an audit take?');
    await honeypot(page).fill(filled, { force: true });
    await send(page);
    await page.waitForURL('/contact#sent');
    expect(await findStatesOf(name)).toEqual(['new']);
  });

  test.each([7, 30])('a visitor who writes for %i hours', async hours => {
    const { page } = visit;
    const name = `Slow for ${hours} hours`;
    await page.clock.install();
    await open(page);
    await field(page, 'Name').fill(name);
    await field(page, 'Message').fill('First line.\n');
    nowMs += hours * hourMs;
    await page.clock.fastForward(hours * hourMs);
    await field(page, 'Message').pressSequentially('Second line.');
    await send(page);
    await expectSent(page);
    expect(await findStatesOf(name)).toEqual(['new']);
  });

  test('colleagues who share an IP address and a text', async () => {
    const message = 'Our insurer asks for a penetration test before the end of the year. Could you do one?';
    const desks = await Promise.all(Array.from({ length: 4 }, () => visit.open({})));
    await Promise.all(
      desks.map(async desk => {
        await open(desk);
        for (let sent = 1; sent <= 3; sent += 1) {
          await field(desk, 'Name').fill('Office');
          await field(desk, 'Message').fill(message);
          const answered = desk.waitForResponse(`**${contactPath}`);
          await send(desk);
          expect((await answered).status()).toBe(200);
          await expect.poll(() => field(desk, 'Message').inputValue()).toBe('');
        }
      }),
    );
    expect(await findStatesOf('Office')).toEqual(Array.from({ length: 12 }, () => 'new'));
  });

  test('a visitor who pastes a message with links and markup and sends it within a second', async () => {
    const { page } = visit;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const message =
      'Ours: https://one.example https://two.example https://three.example\n<a href="https://one.example">One</a>';
    await page.goto('/contact');
    await page.evaluate(text => navigator.clipboard.writeText(text), message);
    const token = page.waitForResponse(`**${tokenPath}`);
    await field(page, 'Name').fill('Paste');
    await (await token).finished();
    await field(page, 'Message').focus();
    await page.keyboard.press('ControlOrMeta+V');
    expect(await field(page, 'Message').inputValue()).toBe(message);
    await send(page);
    await expectSent(page);
    expect(await findStatesOf('Paste')).toEqual(['new']);
  });

  test('a visitor who leaves a form and comes back', async () => {
    const { page } = visit;
    await open(page);
    await fillEverything(page, { name: 'Back and forth', message: 'I will come back to this.' });
    await page.goto('/faq');
    await page.goBack();
    await wake(page);
    // Browsers do not restore fields with autocomplete="off".
    expect(await honeypot(page).inputValue()).toBe('');
    await field(page, 'Name').fill('Back and forth');
    await field(page, 'Message').fill('I have come back to this.');
    await send(page);
    await expectSent(page);
    await page.goto('/faq');
    await page.goBack();
    await page.goForward();
    await page.goBack();
    await wake(page);
    await field(page, 'Name').fill('Back and forth');
    await field(page, 'Message').fill('And here I am again.');
    await send(page);
    await expectSent(page);
    expect(await findStatesOf('Back and forth')).toEqual(['new', 'new']);
  });

  test('a visitor whose message is retried after lost responses', async () => {
    const { page } = visit;
    visit.expectTrouble(/Failed to load resource/);
    await open(page);
    await fillEverything(page, {
      name: 'Offline',
      message: 'Our line is poor here, so this may take a while to reach you.',
    });
    await page.context().setOffline(true);
    await send(page);
    await page.getByRole('button', { name: 'Do not send' }).waitFor();
    let lost = 0;
    await page.route(contactPath, async route => {
      if (lost === 3) return route.continue();
      await route.fetch();
      lost += 1;
      await route.abort('connectionreset');
    });
    await page.context().setOffline(false);
    const sent = page.locator(':text("Sent Successfully"):visible');
    await expect
      .poll(async () => {
        await page.evaluate(() => dispatchEvent(new Event('online')));
        return sent.count();
      })
      .toBe(1);
    expect(lost).toBe(3);
    expect(await findStatesOf('Offline')).toEqual(['new']);
  });

  test('a visitor who reloads the page with an unsent message', async () => {
    const { page } = visit;
    visit.expectTrouble(/Failed to load resource/);
    await page.route(contactPath, route => route.abort('connectionrefused'), { times: 1 });
    await open(page);
    await fillEverything(page, { name: 'Reload', message: 'Still waiting to be sent.' });
    await send(page);
    await page.getByRole('button', { name: 'Do not send' }).waitFor();
    const kept = await page.evaluate(() => sessionStorage.getItem('unsent-message:contact'));
    expect(kept).not.toContain(honeypotField);
    const [request] = await Promise.all([page.waitForRequest(`**${contactPath}`), page.reload()]);
    await hydrated(page);
    await expectSent(page);
    expect(request.postDataJSON()).not.toHaveProperty(honeypotField);
    expect(await findStatesOf('Reload')).toEqual(['new']);
  });
});

describe('a bot that fills in everything with links gets the usual response and is quarantined', () => {
  const spam = 'Cheap https://a.example https://b.example https://c.example https://d.example';

  test('when it posts natively', async () => {
    const page = await visit.open({ javaScriptEnabled: false });
    await page.goto('/contact');
    await fillEverything(page, { name: 'Robot', message: spam, [honeypotField]: spam });
    await send(page);
    await page.waitForURL('/contact#sent');
    await expectSent(page);
    expect(await findQuarantineReasons('Robot')).toEqual(['honeypot', 'honeypot text', 'links']);
  });

  test('when it submits the page at once', async () => {
    const { page } = visit;
    await open(page);
    await fillEverything(page, { name: 'Fast robot', message: spam, [honeypotField]: spam });
    const answered = page.waitForResponse(`**${contactPath}`);
    await send(page);
    expect((await answered).status()).toBe(200);
    await expectSent(page);
    expect(await findQuarantineReasons('Fast robot')).toEqual(['honeypot', 'honeypot text', 'fast', 'links']);
  });
});

test('the honeypot is invisible and takes no space, also in forced colours and at 400 %', async () => {
  const page = await visit.open({ javaScriptEnabled: false, forcedColors: 'active' });
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/contact');
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
