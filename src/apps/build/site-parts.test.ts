import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { siteParts } from '../../features.site.ts';
import type { Page, SitePart } from '../../ui/page.ts';
import { defaultPageSettings } from './create-page-settings.ts';
import { listFillings, listSitePages, listVariants } from './site-parts.ts';
import { root } from './vite-config.ts';

const parts: readonly SitePart[] = siteParts;
const onStaticHost = { ...defaultPageSettings, CONTACT_ENDPOINT: 'https://sheet.example/post' };

test('every page has an address of its own, and every module that a feature names is there', () => {
  const pages: Page[] = parts.flatMap(part => part.pages ?? []);
  const paths = pages.flatMap(page => page.paths);
  expect(paths.length).toBeGreaterThan(10);
  expect(new Set(paths).size).toBe(paths.length);
  expect(new Set(pages.map(({ name }) => name)).size).toBe(pages.length);
  const slots = parts.flatMap(part => Object.keys(part.slots ?? {}));
  const files = [defaultPageSettings, onStaticHost].flatMap(settings => [
    ...listSitePages(settings).flatMap(({ file, documentFile = file }) => [file, documentFile]),
    ...slots.flatMap(slot => listFillings(slot, settings)),
    ...Object.values(listVariants(settings)),
  ]);
  expect(files.filter(file => !existsSync(join(root, file)))).toEqual([]);
});

test('where something needs our own server, a static host has neither its page nor a link to it', () => {
  const namesOf = (settings: typeof onStaticHost) => listSitePages(settings).map(({ name }) => name);
  const left = namesOf(defaultPageSettings).filter(name => !namesOf(onStaticHost).includes(name));
  expect(left).toEqual(['newsletter', 'audit', 'audit-about', 'audit-report']);
  expect(listFillings('check-link', defaultPageSettings)).toHaveLength(1);
  expect(listFillings('check-link', onStaticHost)).toEqual([]);
  expect(listFillings('check-link', { ...defaultPageSettings, AUDIT: 'off' })).toEqual([]);
});

test('a feature that is switched off has no page beside those of mails that were sent, and is in no slot', () => {
  const optional = ['newsletter', 'blog', 'audit', 'sample-report'];
  const settings = { ...defaultPageSettings, OFF: optional.join(' ') };
  const slots = parts.flatMap(part => (optional.includes(part.name) ? Object.keys(part.slots ?? {}) : []));
  expect(slots.length).toBeGreaterThan(5);
  expect(slots.flatMap(slot => listFillings(slot, settings))).toEqual([]);
  const left = listSitePages(settings).filter(({ file }) =>
    optional.some(name => file.includes(`/${name}/`)),
  );
  expect(left.map(({ name }) => name)).toEqual(['newsletter']);
});
