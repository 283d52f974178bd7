import type { MessagePages } from '../../features/messages/desk/props.ts';
import type { NewsletterPages } from '../../features/newsletter/desk/props.ts';
import type { PrivacyPages } from '../../features/privacy/desk/props.ts';
import type { FiguresProps } from './figures/props.ts';
import type { HealthPages } from './health/props.ts';
import type { readOverview } from './overview/read-overview.ts';
import type { WordsPages } from './words/words-types.ts';

/** The props of each view: plain JSON, because the browser gets them, too. */
export type Pages = {
  overview: Awaited<ReturnType<typeof readOverview>>;
  figures: FiguresProps;
  problem: ProblemProps;
} & MessagePages &
  NewsletterPages &
  HealthPages &
  PrivacyPages &
  WordsPages;

export type ViewName = keyof Pages;

export const areas = ['messages', 'privacy', 'newsletter', 'words', 'figures', 'health'] as const;
export type Area = (typeof areas)[number];

export type Page<Name extends ViewName = ViewName> = {
  view: Name;
  title: string;
  area?: Area;
  props: Pages[Name];
  /** What the last action did, or why it failed. */
  notice?: Notice;
};

/** In every page. Only a browser that is signed in is told the prefix. */
export type Frame = { siteName: string; prefix?: string };

export type Notice = { kind: 'done' | 'failed'; text: string };

export type ProblemProps = {
  text: string;
  link?: { text: string; path: string };
  /** What the owner would have to type again. */
  typed?: string[];
};
