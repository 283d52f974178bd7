import type { Figure } from '../../../core/figures/figure.ts';

export type FiguresProps = {
  weeks: number;
  periods: { weeks: number; text: string }[];
  figures: Figure[];
};
