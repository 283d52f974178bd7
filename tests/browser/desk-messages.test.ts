import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findAxeViolations } from '../harness/axe.ts';
import { shareBrowser } from '../harness/browser.ts';
import { startDesk } from '../harness/desk.ts';
import { disposeAfterAll } from '../harness/dispose-after-all.ts';
import { expectInert } from '../harness/inert-messages.ts';
import { watchPage } from '../harness/page.ts';
import { newMessage } from '../harness/sample-message.ts';

const desk = await disposeAfterAll(startDesk());

const held = { state: 'quarantined', quarantine_reason: 'flood' } as const;
let minute = 0;

/** Each is newer than the one before. */
async function add(name: string, about: Parameters<typeof newMessage>[0] = {}): Promise<string> {
  minute += 1;
  const received_at = `2026-03-01T10:${String(minute).padStart(2, '0')}:00.000Z`;
  const message = newMessage({ name, received_at, ...about });
  return (await desk.services.domainDeps.messages.add(message)).reference;
}

async function getState(reference: string): Promise<string | undefined> {
  return (await desk.services.domainDeps.messages.get(reference))?.state;
}

const rowNames = (page: Page) => page.locator('[data-message] a').allTextContents();
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
const notice = (page: Page) => page.locator('main > [role=status], main > [role=alert]');

test('messages are read and sorted with the keyboard, and new ones appear by themselves', async () => {
  const page = await desk.openPage(await shareBrowser());
  const problems = watchPage(page, desk.origin);
  const [ann, ben, cas] = [await add('Ann'), await add('Ben'), await add('Cas')];
  await page.clock.install();
  await page.goto('/messages');
  await page.getByRole('button', { name: 'Keys' }).waitFor();
  expect(await page.title()).toMatch(/^\(3\) Messages/);

  await page.keyboard.press('j');
  await page.keyboard.press('j');
  expect(await focused(page)).toBe('Ben');
  const dan = await add('Dan');
  await page.clock.fastForward(5000);
  await expect.poll(() => rowNames(page)).toEqual(['Dan', 'Cas', 'Ben', 'Ann']);
  expect(await focused(page)).toBe('Ben');
  expect(await page.title()).toMatch(/^\(4\) Messages/);

  // Without a session nothing is changed or selected.
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await page.keyboard.press('e');
  await notice(page).getByText('Open the new link').waitFor();
  expect(problems.splice(0)).toEqual([expect.stringContaining('401')]);
  await page.context().addCookies(cookies);
  expect(await page.locator('ul :checked').count()).toBe(0);
  // A page that was asked for before a change is not shown after it.
  const late = Promise.withResolvers<void>();
  await page.route('**/messages', async route => {
    const response = await route.fetch();
    await late.promise;
    await route.fulfill({ response });
  });
  const polled = page.waitForRequest('**/messages');
  await page.clock.fastForward(5000);
  await polled;
  await page.keyboard.press('Control+e');
  await page.keyboard.press('e');
  await expect.poll(() => notice(page).textContent()).toBe('Closed.');
  late.resolve();
  await page.unrouteAll({ behavior: 'wait' });
  expect(await rowNames(page)).toEqual(['Dan', 'Cas', 'Ann']);
  expect([await getState(ben), await focused(page)]).toEqual(['closed', 'Ann']);

  await page.keyboard.press('x');
  await page.keyboard.press('k');
  await page.keyboard.press('x');
  // The last two wait for the change before.
  for (const key of ['s', 'k', 'e']) await page.keyboard.press(key);
  await page.getByText('Nothing new.').waitFor();
  expect([await getState(ann), await getState(cas), await getState(dan)]).toEqual(['spam', 'spam', 'closed']);

  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('Move to spam').waitFor();
  expect(await findAxeViolations(page, { selector: 'dialog' })).toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('sexy');
  expect(await page.getByRole('searchbox').inputValue()).toBe('sexy');
  await page.keyboard.press('Enter');
  await page.getByText('No message matches under').waitFor();
  expect(await findAxeViolations(page, { selector: 'main' })).toEqual([]);
  expect(problems).toEqual([]);
});

test('a message is answered, noted, deleted and released', async () => {
  const page = await desk.openPage(await shareBrowser());
  const problems = watchPage(page, desk.origin);
  const reference = await add('Eve', { message: 'First line\n\nSecond line', receivers: ['webhook'] });
  // Being sent: a copy may be elsewhere, which the page after the deletion says. It waits for a lease that is running.
  const claim = {
    receiver: 'webhook',
    now: new Date().toISOString(),
    lease: 'x',
    leaseUntil: new Date().toISOString(),
    limit: 1,
  };
  await desk.services.domainDeps.outbox.claim(claim);
  await page.goto('/messages');
  await page.getByRole('link', { name: 'Eve' }).click();
  const reply = page.getByRole('link', { name: 'Reply' });
  expect(await reply.getAttribute('href')).toContain(`subject=Re%3A%20your%20message%20${reference}`);
  await page.getByRole('button', { name: 'Keys' }).waitFor();
  // There is no mail program here: the link is followed no further than the page itself.
  await page.evaluate(() =>
    document.addEventListener('click', event => event.preventDefault(), { once: true }),
  );
  await page.keyboard.press('r');
  await expect.poll(() => focused(page)).toBe('Mark as answered');
  await page.keyboard.press('Enter');
  await expect.poll(() => notice(page).textContent()).toBe('Marked as answered.');
  await page.getByRole('button', { name: 'Keys' }).waitFor();
  await page.keyboard.press('e');
  await expect.poll(() => notice(page).textContent()).toBe('Closed.');
  await page.getByRole('button', { name: 'Keys' }).waitFor();
  await page.getByLabel('Add a note').fill('Called back');
  // The page is not left with a note that is not stored, and its button works afterwards.
  for (const change of ['Mark as new', 'Spam']) {
    await page.getByRole('button', { name: change, exact: true }).click();
    await expect.poll(() => problems.splice(0)).toEqual(['dialog ']);
  }
  expect(await getState(reference)).toBe('closed');
  let posts = 0;
  await page.route('**/notes', async route => {
    posts += 1;
    await page.waitForTimeout(300);
    await route.continue();
  });
  await page.getByRole('button', { name: 'Add the note' }).evaluate(async (button: HTMLElement) => {
    button.click();
    await new Promise(done => setTimeout(done, 100));
    button.click();
  });
  await page.getByRole('listitem').getByText('Called back').waitFor();
  expect(posts).toBe(1);

  await page.getByRole('button', { name: 'Delete…' }).press('Enter');
  await page.getByRole('heading', { name: 'Delete this message?' }).waitFor();
  await page.getByRole('button', { name: 'Delete 1 message for good' }).press('Enter');
  await page.waitForURL(/\/messages\/deleted\//);
  expect(await getState(reference)).toBe(undefined);

  await add('Hal', held);
  await page.goto('/messages');
  await page.getByRole('link', { name: /^Quarantine/ }).press('Enter');
  await page.getByRole('button', { name: 'Continue' }).press('Enter');
  await page.getByRole('button', { name: 'Release 1 message' }).press('Enter');
  await notice(page).getByText('Released').waitFor();
  expect(problems).toEqual([]);
});

test('everything works without JavaScript', async () => {
  const page = await desk.openPage(await shareBrowser(), { javaScriptEnabled: false });
  const [fay, gil] = [await add('Fay'), await add('Gil', held)];
  await page.goto('/messages');
  await page.getByLabel(`Select ${fay}`).check();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  expect(await notice(page).textContent()).toBe('Closed.');
  expect(await getState(fay)).toBe('closed');
  await page.getByRole('link', { name: /^Quarantine/ }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: /^Release \d/ }).click();
  expect(await notice(page).textContent()).toMatch(/^(Released|\d messages released)\./);
  expect(await getState(gil)).toBe('new');
});

test('hostile messages are shown as text', async () => {
  await expectInert(desk, await shareBrowser(), [
    '</textarea></title></style></script></table><script>obeyed=1</script><img src=x onerror=obeyed=1>',
    '--><style>@import "https://evil.example/i.css";*{display:none}</style><base href="https://evil.example/">',
    '" onfocus="obeyed=1" autofocus x="javascript:alert(1)//evil.example',
    `\u202e\u2066\u200f\r\x1b[31m\x7f\u0085\u2028Z${'\u0310\u0489\u0321'.repeat(200)}${'x'.repeat(2000)}`,
  ]);
});

test('a person is found, exported, corrected and erased with the keyboard', async () => {
  const email = 'ida@example.com';
  const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  const own = await add('Ida', { email, message: hostile });
  const other = await add('Jon', { email: 'jon@example.com', message: `Ask ${email}.` });
  const page = await desk.openPage(await shareBrowser());
  await page.goto('/privacy');
  await page.getByLabel('Email address of the person').fill(email);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'What is stored' }).waitFor();
  expect(page.url()).not.toContain('ida');
  expect(await page.getByText(hostile).count()).toBe(1);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as a file' }).press('Enter');
  expect(readFileSync(await (await download).path(), 'utf8')).toContain(own);

  await page.getByLabel('Right name').fill('Idä');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Correct this?' }).waitFor();
  await page.getByRole('button', { name: 'Correct 1 message' }).press('Enter');
  await page.getByText('Corrected: 1 message').waitFor();
  await page.getByRole('link', { name: 'See what is stored now' }).press('Enter');
  await page.getByRole('link', { name: 'Erase…' }).press('Enter');
  await page.getByRole('checkbox').press('Space');
  await page.getByRole('button', { name: 'Erase for good' }).press('Enter');
  await page.getByText('Erased: 2 messages').waitFor();
  expect(await getState(other)).toBe(undefined);
});
