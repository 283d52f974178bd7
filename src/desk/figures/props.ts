import type { Figure } from '../../domain/figures/figure.ts';

export type FiguresProps = {
  weeks: number;
  periods: { weeks: number; text: string }[];
  figures: Figure[];
};
