import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newsletterPaths, paths } from '../../src/site/paths.ts';
import { injectionGroups } from '../harness/injections.ts';
import { hydrate, visitSite } from '../harness/page.ts';

const visit = visitSite();
const markUp = [
  ...Object.values(injectionGroups['mark-up']),
  ...Object.values(injectionGroups.attribute),
  ...Object.values(injectionGroups.svg),
];

/** Records what injected input did to a page; requests to other hosts fail every test. */
function watch(page: Page) {
  let dialogs = 0;
  page.on('dialog', async dialog => {
    dialogs += 1;
    await dialog.dismiss();
  });
  return async () => {
    const effects = await page.evaluate(() => ({
      isObeyed: 'obeyed' in globalThis,
      elements: document.querySelectorAll('*').length,
    }));
    return { ...effects, dialogs };
  };
}

const inert = { isObeyed: false, dialogs: 0 };

test('a page has the same structure with any URL', async () => {
  const { page } = visit;
  visit.allowErrors(/the server responded with a status of 404/, /is not a decodable element ID/);
  const read = watch(page);
  const words = encodeURIComponent(markUp.join(' '));
  for (const path of [paths.contact, paths.faq, newsletterPaths.confirm, '/none']) {
    await visit.open(path);
    await hydrate(page);
    const { elements } = await read();
    await visit.open(`${path}?token=${words}&${words}=waiting#${words}`);
    await hydrate(page);
    expect(await read(), path).toEqual({ ...inert, elements });
  }
});

test("the filter's text and the fragment are shown as plain text only", async () => {
  const { page } = visit;
  // React Router logs this for a fragment that it cannot decode.
  visit.allowErrors(/is not a decodable element ID/);
  const read = watch(page);
  await visit.open('/faq');
  await hydrate(page);
  const filter = page.getByRole('searchbox');
  await filter.fill('a');
  await filter.fill('');
  const { elements } = await read();
  await filter.evaluate(async (field, all) => {
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
    for (const text of [...all, '']) {
      set?.call(field, text);
      field.dispatchEvent(new Event('input', { bubbles: true }));
      location.hash = text;
      await new Promise(done => setTimeout(done));
    }
  }, markUp);
  await expect.poll(read).toEqual({ ...inert, elements });
});
