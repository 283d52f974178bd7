import type { FiguresProps } from './figures/props.ts';
import type { HealthPages } from './health/props.ts';
import type { OverviewProps } from './overview/read-overview.ts';
import type { WordsPages } from './words/words-types.ts';

/** The props of each view that belongs to no feature: plain JSON, because the browser gets them, too. */
export type OwnPages = { overview: OverviewProps; figures: FiguresProps } & HealthPages & WordsPages;
