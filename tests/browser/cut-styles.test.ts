import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { FileEntry } from '../../src/server/static-files.ts';
import { paths, stepPaths } from '../../src/site/paths.ts';
import { visitSite } from '../harness/page.ts';
import { builtSite } from '../harness/site.ts';

/** A page carries the rules that it needs and no others: with all of them it must look the same. */
const visit = visitSite();
const folder = '/static/css';
const wide = { viewport: { width: 1440, height: 900 }, media: {} };
/** What is cut does not depend on the width or the medium, so that two pages stand for all. */
const others = [
  { viewport: { width: 390, height: 844 }, media: { forcedColors: 'active' } },
  { viewport: { width: 768, height: 1024 }, media: { contrast: 'more' } },
  { viewport: { width: 794, height: 1123 }, media: { media: 'print' } },
] as const;

const entries: FileEntry[] = JSON.parse(readFileSync(join(builtSite, 'files.json'), 'utf8'));
const posts = entries.map(({ path }) => path).filter(path => /^\/blog\/[\w-]+$/.test(path));

test.each([...Object.values(paths), ...posts.slice(0, 1), stepPaths.confirm, '/no-such-page'])(
  '%s looks the same with the rules of all pages',
  async path => {
    const { page } = visit;
    visit.expectTrouble(/status of 404/, /ERR_FAILED/);
    // One that came between two looks would make a difference of its own.
    await page.route('**/*.woff2', route => route.abort());
    await visit.go(path);
    await page.locator('html[data-script=boot]').waitFor();
    const looks = path === paths.home || path === paths.faq ? [wide, ...others] : [wide];
    const before: string[][][] = [];
    for (const look of looks) before.push(await lookAt(page, look));
    await addWholeSheet(page);
    for (const [index, look] of looks.entries())
      expect(differences(before[index] ?? [], await lookAt(page, look)), JSON.stringify(look)).toEqual([]);
  },
);

type Look = typeof wide | (typeof others)[number];

/** Every kind of element with what a browser makes of all rules for it. */
async function lookAt(page: Page, { viewport, media }: Look): Promise<string[][]> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ media: 'screen', contrast: null, forcedColors: null, ...media });
  return page.evaluate(() => {
    // What the style sheet sets, and where that leaves the element; not what follows from it in another direction.
    const kinds =
      /^(align|animation-name|background|border-(?!block|inline|image)|bottom|box|clip|color$|column-g|content$|display|fill|flex|font-[fsw]|gap|grid-t|height|justify|left|letter|line-h|list|margin-[tbl]|max-w|min|opacity|order|outline-[ws]|overflow-|padding-[tbl]|pointer|position|right|row|scroll-s|stroke$|text-[adotuw]|top|transform$|transition-p|vertical|visib|white|width|word|z-i)/;
    for (const transition of document.getAnimations()) transition.finish();
    const seen = new Set<string>();
    const nameOf = (element: Element | null) => `${element?.tagName} ${element?.getAttribute('class') ?? ''}`;
    return Array.from(document.querySelectorAll('html, body, body *'), element => {
      const name = `${nameOf(element.parentElement)} > ${nameOf(element)}`;
      if (seen.has(name)) return [];
      seen.add(name);
      const parts = [null, '::before', '::after'].map(part => {
        const computed = getComputedStyle(element, part);
        if (part && computed.content === 'none') return [];
        const own = Array.from(computed).filter(property => kinds.test(property));
        return own.map(property => `${part ?? ''}${property}: ${computed.getPropertyValue(property)}`);
      });
      return [name, ...parts.flat()];
    });
  });
}

/** What is otherwise afterwards, with the element that it is of. */
function differences(before: string[][], after: string[][]): string[] {
  return after.flatMap(([name, ...rules], index) => {
    const known = new Set(before[index]);
    return rules.filter(rule => !known.has(rule)).map(rule => `${name} has ${rule}`);
  });
}

async function addWholeSheet(page: Page): Promise<void> {
  const whole = readdirSync(join(builtSite, 'site', folder)).find(file => /^site-.*\.css$/.test(file));
  await page.evaluate(
    address =>
      new Promise((resolve, reject) => {
        const link = document.createElement('link');
        Object.assign(link, { rel: 'stylesheet', href: address, onload: resolve, onerror: reject });
        document.head.append(link);
      }),
    `${folder}/${whole}`,
  );
}
