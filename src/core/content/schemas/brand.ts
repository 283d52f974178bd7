import * as v from 'valibot';
import type { BrandFiles } from '../brand/brand-files.ts';
import { listOf, strictObject, text, truncate, webAddress } from '../fields.ts';
import { brandColours } from './brand-colours.ts';
import { brandFonts } from './brand-fonts.ts';

const link = strictObject({ label: text(40), path: sitePath() });

export const brand = strictObject({
  name: text(60),
  logoText: text(40),
  legalName: v.nullable(text(120)),
  copyrightYear: copyrightYear(),
  social: withUnique('url', listOf(strictObject({ label: text(40), url: webAddress() }), 0, 12)),
  menu: withUnique('label', listOf(link, 1, 6)),
  menuButton: link,
  footer: withUnique(
    'title',
    listOf(strictObject({ title: text(30), links: withUnique('label', listOf(link, 1, 12)) }), 0, 4),
  ),
  show: strictObject({
    counters: v.boolean(),
    promises: v.boolean(),
    registration: v.boolean(),
    addressNote: v.boolean(),
  }),
  colours: brandColours,
  fonts: brandFonts,
});

function withUnique<Name extends string, Item extends Record<Name, string>>(
  name: Name,
  list: v.GenericSchema<unknown, Item[]>,
) {
  return v.pipe(
    list,
    v.check(items => new Set(items.map(item => item[name])).size === items.length, `uses a ${name} twice`),
  );
}

function sitePath() {
  return v.pipe(
    text(200),
    v.regex(/^\/(?!\/)\S*$/, issue => `is '${truncate(issue.input)}', expected a path such as /contact`),
    v.description('The part of an address after the domain, such as /contact'),
  );
}

function copyrightYear() {
  return v.pipe(
    v.union([v.number(), v.string()]),
    v.check(
      value => /^(199\d|20\d\d)( to now)?$/.test(String(value)),
      issue => `is '${truncate(String(issue.input))}', expected a year such as 2020, or '2020 to now'`,
    ),
    v.description("A year such as 2020, or '2020 to now'"),
  );
}

export type Brand = v.InferOutput<typeof brand> & BrandFiles;
export type PageBrand = ReturnType<typeof selectPageBrand>;

/** What the scripts of the pages need. */
export function selectPageBrand({ copyrightYear, ...brand }: Brand, now: Date) {
  const { name, logoText, legalName, social, menu, menuButton, footer, show, logo } = brand;
  const copyrightYears = formatCopyrightYears(copyrightYear, now);
  return { name, logoText, legalName, social, menu, menuButton, footer, show, logo, copyrightYears };
}

/** '2020' or '2020–2026'. */
function formatCopyrightYears(copyrightYear: number | string, now: Date): string {
  const first = Number.parseInt(String(copyrightYear), 10);
  const last = String(copyrightYear).endsWith('to now') ? now.getUTCFullYear() : first;
  return last > first ? `${first}–${last}` : String(first);
}
