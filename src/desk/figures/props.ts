import type { Figure } from '../../domain/figures/figure.ts';

export type FiguresProps = {
  weeks: number;
  periods: { weeks: number; text: string }[];
  highlights: Highlight[];
  figures: Figure[];
};

export type Highlight = { label: string; value: string };
