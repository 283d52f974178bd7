import { siteParts } from '../../features.site.ts';
import type { Page, SitePart } from '../../ui/page.ts';
import type { PageSettings } from '../../ui/page-settings.ts';

/** `file` and `documentFile` are from the root of the project. */
export type BuiltPage = Page & { file: string; documentFile?: string };

/** Of the features that are on, all that this site has: a static host has no pages that need our own server. */
export function listSitePages(settings: PageSettings): BuiltPage[] {
  return listParts().flatMap(({ name: feature, pages = [] }) =>
    pages
      .filter(({ needsServer }) => !settings.CONTACT_ENDPOINT || !needsServer)
      .filter(({ staysWhenOff }) => isOn(settings, feature) || staysWhenOff)
      .map(page => ({
        ...page,
        file: findFile(feature, page.component),
        ...(page.document && { documentFile: findFile(feature, page.document) }),
      })),
  );
}

/** The modules that features put into a slot, in the order of the features. */
export function listFillings(slot: string, settings: PageSettings): string[] {
  return listParts()
    .filter(({ name }) => isOn(settings, name))
    .flatMap(({ name: feature, slots = {} }) => {
      const filling = slots[slot];
      const isLeftOut = (filling?.needsServer && settings.CONTACT_ENDPOINT) || filling?.isOff?.(settings);
      return filling && !isLeftOut ? [findFile(feature, filling.component)] : [];
    });
}

/** The module for this site of each that has variants. */
export function listVariants({ CONTACT_ENDPOINT }: PageSettings): Record<string, string> {
  return Object.fromEntries(
    listParts().flatMap(({ name: feature, variants = {} }) =>
      Object.entries(variants).map(([id, files]) => [
        id,
        findFile(feature, CONTACT_ENDPOINT ? files.static : files.server),
      ]),
    ),
  );
}

export function listFiles(): string[] {
  return listParts().flatMap(({ files = [] }) => files);
}

export function isOn({ OFF }: PageSettings, feature: string): boolean {
  return !OFF.split(' ').includes(feature);
}

export function leadsToOffPage(settings: PageSettings, href: string): boolean {
  const path = href.split(/[?#]/)[0] ?? '';
  const off = listParts().filter(({ name }) => !isOn(settings, name));
  const paths = off.flatMap(({ pages = [] }) => pages.flatMap(page => (page.staysWhenOff ? [] : page.paths)));
  return paths.some(page => (page.endsWith('/*') ? path.startsWith(page.slice(0, -1)) : path === page));
}

function listParts(): readonly SitePart[] {
  return siteParts;
}

function findFile(feature: string, file: string): string {
  return `src/features/${feature}/${file}`;
}
