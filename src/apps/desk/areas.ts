import type { DeskArea } from '../../core/desk/desk-area.ts';
import type { AreaLink } from '../../core/desk/page.ts';
import { features } from '../../features.ts';
import type { Services } from '../server/wire.ts';

/** Of the features that the site has. */
export async function loadAreas(): Promise<DeskArea<Services>[]> {
  const areas = await Promise.all(features.map(feature => feature.desk?.()));
  return areas.filter(area => area !== undefined);
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
