import type { SharedPages } from '../../core/desk/page.ts';
import type { PostPages } from '../../features/blog/desk/props.ts';
import type { MessagePages } from '../../features/messages/desk/props.ts';
import type { NewsletterPages } from '../../features/newsletter/desk/props.ts';
import type { PrivacyPages } from '../../features/privacy/desk/props.ts';
import type { FiguresProps } from './figures/props.ts';
import type { HealthPages } from './health/props.ts';
import type { readOverview } from './overview/read-overview.ts';
import type { WordsPages } from './words/words-types.ts';

/** The props of each view: plain JSON, because the browser gets them, too. */
export type Pages = SharedPages & OwnPages & MessagePages & NewsletterPages & PrivacyPages & PostPages;

/** Of the areas that belong to no feature. */
export type OwnPages = {
  overview: Awaited<ReturnType<typeof readOverview>>;
  figures: FiguresProps;
} & HealthPages &
  WordsPages;

export type ViewName = keyof Pages;
