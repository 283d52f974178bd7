import type { Figure } from '../../../features/messages/figure.ts';

export type FiguresProps = {
  weeks: number;
  periods: { weeks: number; text: string }[];
  figures: Figure[];
};
