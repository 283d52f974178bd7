import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { shareBrowser } from '../harness/browser.ts';
import { compileCacheSettings } from '../harness/command.ts';
import { startDesk } from '../harness/desk.ts';
import { watchPage } from '../harness/page.ts';
import { copyProject } from '../harness/process.ts';

const project = copyProject();
// For the process that publishes, which has the environment of this one.
for (const [name, value] of Object.entries(compileCacheSettings(project.folder))) vi.stubEnv(name, value);
const desk = await startDesk({}, {}, { project });
afterAll(async () => {
  vi.unstubAllEnvs();
  await desk[Symbol.asyncDispose]();
});

test('an error of content/ leads to its field, and once it is corrected the site is published', async () => {
  const page = await desk.openPage(await shareBrowser());
  const problems = watchPage(page, desk.origin);
  const file = join(desk.root, 'content/company.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^phone:.*$/m, 'phone: none'));
  const contactPage = () => readFileSync(join(desk.root, 'dist/current/site/contact.html'), 'utf8');
  const before = contactPage();
  await page.goto('/words/publish');
  await page.getByText('These have to be corrected first').waitFor();
  const publish = page.getByRole('button', { name: 'Publish' });
  await publish.press('Enter');
  const failure = page.getByRole('alert').filter({ hasText: "phone is 'none'" });
  await failure.getByText('Not published: the site is as it was').waitFor();
  expect(contactPage()).toBe(before);

  await failure.getByRole('link', { name: 'company.yaml' }).press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('field-phone');
  await page.getByLabel('Phone').fill('020 7946 0777');
  await page.keyboard.press('Control+s');
  await page.getByRole('link', { name: 'Publish' }).press('Enter');
  await publish.press('Enter');
  await page.getByRole('heading', { name: 'Publishing…' }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'now' }).waitFor();
  await page.getByRole('status').getByText('Published in').waitFor({ timeout: 60_000 });
  await page.getByRole('heading', { name: 'Everything is published' }).waitFor();
  expect(contactPage()).toContain('020 7946 0777');
  expect(problems).toEqual([]);
}, 90_000);
