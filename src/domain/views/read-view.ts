import type { ViewKind, ViewRow } from '../../store/tables.ts';

/** What a browser tells of a page that was shown, or of a message that was sent. Anybody can make it up. */
export type ToldView = { kind: string; path: string; referrer: string } & Record<CampaignName, string>;

export type View = Omit<ViewRow, 'day' | 'count'>;

export const campaignNames = ['source', 'medium', 'campaign'] as const;
type CampaignName = (typeof campaignNames)[number];

const kinds: readonly ViewKind[] = ['view', 'message'];

/** Stands for every address that the site does not have. */
export const unknownPath = '/404';

const longest = { host: 100, campaign: 64 };

/** What is kept of it, or nothing: of a message, no more than the campaign that led to it. */
export function readView(
  told: ToldView,
  { isPage, ownHosts }: { isPage(path: string): boolean; ownHosts: readonly string[] },
): View | undefined {
  const kind = kinds.find(one => one === told.kind);
  if (!kind) return undefined;
  const [source, medium, campaign] = campaignNames.map(name => readCampaign(told[name]));
  const named = { source: source ?? '', medium: medium ?? '', campaign: campaign ?? '' };
  return kind === 'message'
    ? readMessage(kind, named)
    : {
        kind,
        path: isPage(told.path) ? told.path : unknownPath,
        referrer: readHost(told.referrer, ownHosts),
        ...named,
      };
}

function readMessage(kind: ViewKind, named: Record<CampaignName, string>): View | undefined {
  const isNamed = campaignNames.some(name => named[name] !== '');
  return isNamed ? { kind, path: '', referrer: '', ...named } : undefined;
}

/** Whatever is no letter, number or common sign becomes a hyphen. What may be somebody's address is not kept. */
function readCampaign(told: string): string {
  const plain = told.normalize('NFKC').toLowerCase();
  if (/@|%(25)*40/.test(plain)) return '';
  return Array.from(plain.replaceAll(/[^\p{L}\p{M}\p{N}._+ -]+/gu, '-'))
    .slice(0, longest.campaign)
    .join('')
    .trim();
}

/** The name alone, as the internet knows it: no port, no number, no name of a machine in somebody's office. */
function readHost(told: string, ownHosts: readonly string[]): string {
  const host = told.toLowerCase().replace(/:\d*$/, '');
  if (host.length > longest.host || ownHosts.includes(host) || !publicName.test(host)) return '';
  return host.replace(/^www\./, '');
}

const publicName = /^([a-z\d_]([a-z\d_-]*[a-z\d_])?\.)+[a-z][a-z\d-]*[a-z\d]$/;
