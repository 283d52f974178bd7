import { join } from 'node:path';
import { isSwitchedOn } from '../../core/content/switches.ts';
import type { DeskArea } from '../../core/desk/desk-area.ts';
import type { AreaLink } from '../../core/desk/page.ts';
import { features } from '../../features.ts';
import { listPagePaths } from '../build/create-page-settings.ts';
import type { Services } from '../server/wire.ts';

export type Areas = Awaited<ReturnType<typeof loadAreas>>;

/** Of the features that the site has. Those that the owner switches off leave the desk at once, before the next publish. */
export async function loadAreas(root: string) {
  const loaded = await Promise.all(
    features.map(async ({ name, desk }) => ({
      name,
      area: (await desk?.(features, listPagePaths)) as DeskArea<Services> | undefined,
    })),
  );
  const all = loaded.flatMap(({ name, area }) => (area ? [{ name, area }] : []));
  const isOn = (name: string) => isSwitchedOn(join(root, 'content'), name);
  return {
    all,
    isOn,
    listOn: () => all.filter(({ name }) => isOn(name)).map(({ area }) => area),
    listOff: () => all.filter(({ name }) => !isOn(name)).map(({ area }) => area),
  };
}

const ownLinks: AreaLink[] = [
  { area: 'words', text: 'Words and pictures' },
  { area: 'figures', text: 'Figures' },
  { area: 'health', text: 'Health' },
];

/** In the order of the navigation. */
export function listLinks(areas: readonly DeskArea<Services>[]): AreaLink[] {
  const [last, first] = [true, false].map(isLast =>
    areas.filter(area => (area.isLast ?? false) === isLast).flatMap(({ link }) => link ?? []),
  );
  return [...(first ?? []), ...ownLinks, ...(last ?? [])];
}

export const switchesPath = '/words/edit?file=site.yaml#field-features';
