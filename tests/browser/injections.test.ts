import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { report } from '../../src/cli/inbox/report.ts';
import { writePage } from '../../src/cli/inbox/report-page.ts';
import { paths, stepPaths } from '../../src/site/paths.ts';
import { injectionGroups, injections } from '../harness/injections.ts';
import { visitSite, wake } from '../harness/page.ts';
import { newMessage } from '../harness/sample-message.ts';

const visit = visitSite();
const texts = injections.map(({ text }) => text);
/** The same number of harmless texts. */
const dull = texts.map((_, index) => `text ${index}`);
const markUp = [
  ...Object.values(injectionGroups['mark-up']),
  ...Object.values(injectionGroups.attribute),
  ...Object.values(injectionGroups.svg),
];

const folder = mkdtempSync(join(tmpdir(), 'wardhouse-injections-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Seen = { isObeyed: boolean; dialogs: number; outside: string[]; elements: number };

/** Records effects of injected input and the number of elements. Requests to other hosts are blocked. */
async function watch(page: Page): Promise<() => Promise<Seen>> {
  const outside: string[] = [];
  let dialogs = 0;
  page.on('dialog', async dialog => {
    dialogs += 1;
    await dialog.dismiss();
  });
  await page.route(
    url => url.hostname === 'evil.example',
    async route => {
      outside.push(route.request().url());
      await route.abort();
    },
  );
  return async () => {
    const [isObeyed, elements] = await page.evaluate(() => [
      (globalThis as { obeyed?: unknown }).obeyed !== undefined,
      document.querySelectorAll('*').length,
    ]);
    return { isObeyed: Boolean(isObeyed), dialogs, outside, elements: Number(elements) };
  };
}

const inert = { isObeyed: false, dialogs: 0, outside: [] };

describe('the report', () => {
  test('has the same structure with any input', async () => {
    const look = await watch(visit.page);
    await open('dull', pageOf(dull));
    const { elements } = await look();
    expect(elements).toBeGreaterThan(6 * texts.length);
    await open('hostile', pageOf(texts));
    expect(await look()).toEqual({ ...inert, elements });
    const shown = await visit.page.locator('table').first().locator('tbody th').allTextContents();
    expect(shown).toHaveLength(texts.length);
    expect(shown).toEqual(expect.arrayContaining(markUp.filter(text => !/[\n\t]/.test(text))));
  });

  test('contains no text of a visitor or a receiver', async () => {
    const { store, clock } = visit.site;
    const now = clock.now().toISOString();
    for (const service of markUp) {
      await store.messages.add(newMessage({ service, received_at: now, receivers: ['sheet'] }));
    }
    const claim = { receiver: 'sheet', now, lease: 'a', leaseUntil: now, limit: 10 };
    for (const [index, delivery] of (await store.outbox.claim(claim)).entries()) {
      const flags = { isAmbiguous: false, isPossibleDuplicate: false };
      await store.outbox.settle(delivery, {
        ...{ state: 'failed', attempts: 1, why: markUp[index] ?? '', now, ...flags },
      });
    }
    const file = join(folder, 'real.html');
    await report(visit.site, file, {});
    const look = await watch(visit.page);
    await visit.page.goto(pathToFileURL(file).href);
    expect(await look()).toMatchObject(inert);
    const shown = await visit.page.locator('main').innerText();
    expect(shown).toContain('Failed deliveries');
    expect(markUp.filter(text => shown.includes(text))).toEqual([]);
  });

  test('the check detects unescaped input', async () => {
    visit.expectTrouble(/./);
    const look = await watch(visit.page);
    await open('dull', pageOf(dull));
    const { elements } = await look();
    // A page that navigates away cannot be inspected, and an unknown element has no effect.
    const raw = pageOf(markUp.filter(text => !/refresh|id=obeyed/.test(text))).replaceAll(
      /&(lt|gt|quot|#39|amp);/g,
      (_, name: string) => signs[name] ?? '',
    );
    await open('raw', raw);
    // The CSP is the second defence: with it the markup is there and has no effect.
    expect(await look()).toEqual({ ...inert, elements: expect.any(Number) });
    expect((await look()).elements).not.toBe(elements);
    await open('bare', raw.replaceAll(/<meta http-equiv="Content-Security-Policy"[^>]*>/g, ''));
    await expect.poll(look).toMatchObject({ isObeyed: true });
    expect((await look()).outside.length).toBeGreaterThan(0);
    await visit.page.goto('about:blank');
    await visit.page.setContent(`<p>${injectionGroups['mark-up']['details that open']}`);
    await expect.poll(async () => (await look()).dialogs).toBeGreaterThan(0);
  });

  const signs: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

  async function open(name: string, html: string): Promise<void> {
    const file = join(folder, `${name}.html`);
    writeFileSync(file, html);
    await visit.page.goto(pathToFileURL(file).href);
  }

  /** Every text of the page replaced with each of the inputs. */
  function pageOf(words: readonly string[]): string {
    const row = (text: string) => ({ cells: [text, text], bar: 1 });
    const whole = { title: '', sentence: '', columns: ['', ''], rows: words.map(row) };
    const each = words.map(text => ({
      title: text,
      sentence: text,
      columns: [text, text],
      rows: [row(text)],
    }));
    return writePage([whole, ...each], { now: new Date(0), title: words.join(' ') });
  }
});

describe('the site', () => {
  test('has the same structure with any URL', async () => {
    const { page } = visit;
    visit.expectTrouble(/the server responded with a status of 404/);
    const look = await watch(page);
    const words = encodeURIComponent(markUp.join(' '));
    for (const path of [...Object.values(paths), stepPaths.confirm, stepPaths.leave, '/none']) {
      await page.goto(path);
      const { elements } = await look();
      await page.goto(`${path}?token=${words}&${words}=waiting#${words}`);
      expect(await look(), path).toEqual({ ...inert, elements });
    }
    await page.goto('/none');
    const { elements } = await look();
    await page.goto(`/${words}`);
    expect(await look()).toEqual({ ...inert, elements });
  });

  test("shows the filter's text and the fragment as plain text only", async () => {
    const { page } = visit;
    // React Router logs this for a fragment that it cannot decode.
    visit.expectTrouble(/is not a decodable element ID/);
    const look = await watch(page);
    await visit.go('/faq');
    await wake(page);
    const filter = page.getByRole('searchbox');
    await filter.fill('a');
    await filter.fill('');
    const { elements } = await look();
    await filter.evaluate(async (field, all) => {
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
      for (const text of [...all, '']) {
        set?.call(field, text);
        field.dispatchEvent(new Event('input', { bubbles: true }));
        location.hash = text;
        await new Promise(done => setTimeout(done));
      }
    }, texts);
    await expect.poll(look).toEqual({ ...inert, elements });
  });

  test('sends what is typed into a form unchanged, and shows none of it', async () => {
    const { page } = visit;
    const look = await watch(page);
    await visit.go('/contact');
    await wake(page);
    const fields = { Name: markUp.join(' '), Message: texts.join('\n') };
    for (const [name, text] of Object.entries(fields))
      await page.getByLabel(name, { exact: true }).fill(text);
    const typed = await page.getByLabel('Message', { exact: true }).inputValue();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const reference = (await page.getByText(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/).textContent()) ?? '';
    expect(await look()).toMatchObject(inert);
    expect((await visit.site.store.messages.get(reference))?.message).toBe(typed);
    expect(typed.length).toBeGreaterThan(texts.join('').length - 100);
  });
});
