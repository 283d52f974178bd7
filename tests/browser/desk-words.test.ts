import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findAxeViolations } from '../harness/axe.ts';
import { shareBrowser } from '../harness/browser.ts';
import { startDesk } from '../harness/desk.ts';

const problems: string[] = [];
const desk = await startDesk();
const page = await desk.openPage(await shareBrowser(), { viewport: { width: 1280, height: 900 } });
page.setDefaultTimeout(10_000);
// desk-preview.test.ts has the preview: here it would only take time.
await page.route('**/words/preview', route =>
  route.fulfill({ json: { problems: [], isStale: false, pages: [] } }),
);
page.on('pageerror', error => problems.push(error.message));
page.on('console', message => {
  // A form with errors is answered with 422, which Chromium logs.
  if (message.type() === 'error' && !message.text().includes('422')) problems.push(message.text());
});
afterAll(async () => {
  await desk[Symbol.asyncDispose]();
  expect(problems).toEqual([]);
});

const read = (file: string) => readFileSync(join(desk.root, 'content', file), 'utf8');
const edit = (file: string) => page.goto(`/words/edit?file=${encodeURIComponent(file)}`);
const status = () => page.getByRole('status').last().textContent();

test('the phone number is changed by a form and saved with Ctrl+S, and nothing else in its file', async () => {
  const before = read('company.yaml');
  await page.goto('/words');
  await page.getByRole('link', { name: 'Contact details and facts' }).click();
  const phone = page.getByLabel('Phone');
  await phone.fill('020 7946 0777');
  expect(await page.locator('#field-phone-count').textContent()).toBe('13 of 30');
  expect(await status()).toContain('Not saved yet');
  expect(await findAxeViolations(page)).toEqual([]);
  await page.keyboard.press('Control+s');
  await expect.poll(status).toContain('Saved.');
  expect(read('company.yaml')).toBe(before.replace('020 7946 0123', '020 7946 0777'));
});

test('an item is moved with its comment, by a button that keeps the focus', async () => {
  await edit('home.yaml');
  const cards = page.getByRole('group', { name: 'Cards' });
  await cards.getByRole('button', { name: 'Move down: Card 1' }).press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Move down: Card 2');
  await cards.getByRole('button', { name: 'Remove: Card 5' }).click();
  await cards.getByRole('button', { name: 'Add card' }).click();
  await page.keyboard.type('web-security');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(status).toContain('Saved.');
  expect(/ cards:\n(.*?)\n\n/s.exec(read('home.yaml'))?.[1]?.replaceAll(/^ +/gm, '')).toBe(
    '- data-security # prescribed\n- network-security # prescribed\n- computer-security # prescribed\n- locker-security # prescribed\n- web-security',
  );
});

test('what was left out by mistake is there again', async () => {
  await edit('audit.yaml');
  const values = page.getByRole('group', { name: 'Values' }).first();
  const typed = () =>
    values
      .getByRole('textbox')
      .evaluateAll(fields => fields.map(field => field.textContent || (field as HTMLInputElement).value));
  const before = await typed();
  await values.getByRole('button', { name: 'Leave out values' }).click();
  await values.getByRole('button', { name: 'Add values' }).click();
  expect(before.length).toBeGreaterThan(0);
  expect(await typed()).toEqual(before);
});

test('errors stand at their fields, and in a summary that leads to them', async () => {
  await edit('faq.yaml');
  await page.getByRole('group', { name: 'Groups' }).locator('summary').first().click();
  const question = page.locator('[id="field-groups.0.questions.0.question"]');
  const fold = page.locator('[id="field-groups.0.questions.0"] > summary');
  await fold.click();
  await question.fill('x'.repeat(161));
  await fold.click();
  await page.getByRole('button', { name: 'Save' }).click();
  const summary = page.getByRole('alert');
  await expect
    .poll(() => summary.textContent())
    .toContain('Groups 1, Questions 1, Question is 161 characters, limit 160');
  expect(await summary.evaluate(element => element === document.activeElement)).toBe(true);
  await summary.getByRole('link').click();
  expect(await question.evaluate(element => element === document.activeElement)).toBe(true);
  expect(await question.getAttribute('aria-invalid')).toBe('true');
  const changed = '[role=alert], [id="field-groups.0.questions.0"]';
  expect(await findAxeViolations(page, { selector: changed })).toEqual([]);
  expect(read('faq.yaml')).not.toContain('xxx');
  const asked = page.waitForEvent('dialog');
  const leaving = page.getByRole('link', { name: 'All words and pictures' }).click();
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.accept();
  await leaving;
});

test('a change by another program is not overwritten: both texts are shown, and the owner decides', async () => {
  await edit('company.yaml');
  await page.getByLabel('Support hours').fill('9am-6pm GMT on weekdays');
  const path = join(desk.root, 'content/company.yaml');
  writeFileSync(path, read('company.yaml').replace('Example House', 'Other House'));
  await page.keyboard.press('Control+s');
  const conflict = page.getByRole('alert');
  await expect.poll(() => conflict.textContent()).toContain('Not saved: the file was changed elsewhere');
  expect(await conflict.textContent()).toContain('Address 1In the file: Other HouseYours: Example House');
  expect(read('company.yaml')).not.toContain('9am-6pm');
  expect(await findAxeViolations(page, { selector: '[role=alert]' })).toEqual([]);
  await conflict.getByRole('button', { name: 'Save all of mine' }).click();
  await expect.poll(status).toContain('Saved.');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Save');
  expect(read('company.yaml')).toContain('- Example House\n');
  expect(read('company.yaml')).toContain('supportHours: 9am-6pm GMT on weekdays # prescribed');
});

test('a post is started and written, and without JavaScript released, deleted and brought back', async () => {
  await page.goto('/words/posts');
  await page.getByLabel('Title').fill('How we test');
  await page.getByLabel('Date').fill('2026-11-10');
  await page.keyboard.press('Enter');
  await page.getByLabel('Text', { exact: true }).fill('We **test** everything.');
  await page
    .getByLabel('Summary')
    .fill('A summary that is long enough for search engines to show it below the title of it.');
  await page.keyboard.press('Control+s');
  await page.locator('#field-topics[aria-describedby~=field-topics-error]').waitFor();
  await page.getByRole('button', { name: 'Add topic' }).click();
  await page.getByLabel('Topic 1', { exact: true }).selectOption('testing');
  await page.getByLabel('Date', { exact: true }).fill('2026-11-11');
  await page.keyboard.press('Control+s');
  await page.waitForURL(/2026-11-11-how-we-test/);
  const file = 'blog/2026-11-11-how-we-test.md';
  expect(read(file)).toMatch(/topics:\n {2}- testing\ndate: 2026-11-11\ndraft: true\n---\n\nWe \*\*test/);

  const plain = await desk.openPage(await shareBrowser(), { javaScriptEnabled: false });
  await plain.goto('/words/edit?file=home.yaml');
  expect(await plain.locator('main').textContent()).toContain('Editing needs JavaScript');
  await plain.goto('/words/posts');
  await plain.getByRole('button', { name: 'Draft is finished: How we test' }).click();
  await plain.getByRole('status').getByText('The post is ready').waitFor();
  await plain.getByLabel('Delete… How we test').click();
  await plain.getByRole('button', { name: 'Delete this post' }).filter({ visible: true }).click();
  await plain.getByRole('status').getByText('The post is deleted').waitFor();
  await page.goto('/words/history');
  expect(await page.locator('main').textContent()).toContain('Removed: title: How we test');
  await plain.goto('/words/history');
  await plain.getByRole('button', { name: /^Undo: Delete/ }).click();
  await plain.getByRole('status').getByText('The change is undone').waitFor();
  expect(read(file)).not.toContain('draft:');
}, 60_000);
