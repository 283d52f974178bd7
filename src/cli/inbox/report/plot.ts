import type { Wired } from '../../../server/wire.ts';
import type { Weeks } from './weeks.ts';

/** What a plot is made from. */
export type Desk = {
  figures: Wired['store']['figures'];
  /** What the form offers: any other word in that field is a stranger's, and is counted as 'Other' alone. */
  services: readonly string[];
  now: Date;
  /** Messages by the week they came in. */
  weeks: Weeks;
};

/** Asks for its figures, and says how to show them. */
export type Plot = (desk: Desk) => Promise<Drawn>;

export type Drawn = {
  /** Of letters and hyphens: names it within the page. */
  id: string;
  title: string;
  /** One sentence on what it shows. */
  shows: string;
  /** The one figure to remember, where there is one. */
  headline?: { value: string; label: string };
  /** Absent where there is nothing to draw: then a sentence stands in its place. */
  picture?: Picture | undefined;
  empty: string;
  /** The same figures in words. */
  table: Table;
  /** What is worth reading one by one. */
  list?: Table | undefined;
};

export type Picture = {
  /** For whoever does not see it. */
  summary: string;
  legend: readonly { name: string; mark: Mark }[];
  /** At this many pixels: one for a phone, one for everything wider. */
  draw(width: number): { height: number; body: string };
};

export type Table = {
  caption: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
  /** Worth its lines on paper: short, and more exact than the picture. */
  isPrinted?: boolean;
};

/** What a colour means: what goes well, what needs attention, what matters little. */
export type Mark = 'main' | 'attention' | 'faint';

export function formatNumber(value: number): string {
  return value.toLocaleString('en-GB');
}

export function formatShare(part: number, whole: number): string {
  const share = whole === 0 ? 0 : part / whole;
  const digits = share > 0 && share < 0.1 ? 1 : 0;
  return `${(100 * share).toFixed(digits)} %`;
}

/** '3 November 2026' */
export function formatDay(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', {
    ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
  });
}

/** Whoever passes messages on, as a reader of the report calls it. */
export const receiverLabels: Record<string, string> = {
  sheet: 'Sheet',
  mail: 'Mailbox',
  webhook: 'Webhook',
  confirmations: 'Letters that ask to confirm',
  newsletter: 'Newsletter issues',
};
