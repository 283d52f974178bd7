import type { CountedKind, viewsPath } from '../api/contract.ts';
import { inStorage } from './boot-storage.ts';

/**
 * Part of the boot script. Tells the server that a page was shown, with the site and the campaign that led to it, and
 * nothing about whom it was shown to. Whoever objected, and whoever lets nothing be stored, tells nothing.
 */
export type CountEvent = 'count';

/** In the storage of the browser, set by the switch in the privacy policy. */
export type UncountedKey = 'uncounted';
/** In the storage of the tab: what a campaign wrote into the address that the visit began with. */
const campaignKey = 'campaign';

type Privacy = { globalPrivacyControl?: boolean };
type Preparable = { prerendering?: boolean };

/** The site that led to the page that stands there, for as long as nobody has seen that page. */
let referrer: string | undefined;

export function startCounting(): void {
  addEventListener('pageshow', ({ persisted }) => {
    // To a page that the browser kept, Back has led: React may have put another there since some site led to the first.
    referrer = (!persisted && document.referrer.split('/')[2]) || '';
    countShown();
  });
  for (const change of ['visibilitychange', 'prerenderingchange'])
    document.addEventListener(change, countShown);
  // React has shown another page, or has sent a message.
  addEventListener('count' satisfies CountEvent, event => tell((event as CustomEvent).detail));
}

/** A page that is opened behind another, or prepared ahead of a click, is counted once somebody turns to it. */
function countShown(): void {
  if (referrer === undefined || document.hidden || (document as Preparable).prerendering) return;
  const site = referrer;
  referrer = undefined;
  tell('view', site);
}

function tell(kind: CountedKind, site = ''): void {
  const uncounted: UncountedKey = 'uncounted';
  if (navigator.webdriver || (navigator as Privacy).globalPrivacyControl) return;
  if (inStorage(() => localStorage.getItem(uncounted)) !== null) return;
  const query = new URLSearchParams(location.search);
  const found = ['source', 'medium', 'campaign'].map(name => query.get(`utm_${name}`));
  let campaign = found.join('\n');
  inStorage(storage => {
    if (found.some(Boolean)) storage.setItem(campaignKey, campaign);
    if (kind === 'message') campaign = storage.getItem(campaignKey) ?? '';
  });
  const path: typeof viewsPath = '/api/views';
  navigator.sendBeacon(path, [kind, location.pathname, site, campaign].join('\n'));
}
