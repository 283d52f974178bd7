import type { Figure } from '../../domain/figures/figure.ts';
import type { Highlight } from './props.ts';

/** The sums that an owner looks for first. */
export function readHighlights(figures: readonly Figure[]): Highlight[] {
  const rowsOf = (id: string) => figures.find(figure => figure.id === id)?.rows ?? [];
  const total = (id: string, column: number) =>
    rowsOf(id).reduce((sum, row) => sum + Number(row[column] ?? 0), 0);
  const accepted = total('messages', 1);
  const answers = rowsOf('answers');
  const answeredInADay = answers.slice(0, 3).reduce((sum, [, count]) => sum + Number(count), 0);
  const format = (number: number) => number.toLocaleString('en-GB');
  const percent = (part: number, whole: number) =>
    whole === 0 ? 'none' : `${Math.round((100 * part) / whole)} %`;
  return [
    { label: 'Accepted messages', value: format(accepted) },
    { label: 'Not answered yet', value: format(total('messages', 4)) },
    { label: 'Answered within a day', value: percent(answeredInADay, accepted) },
    { label: 'Quarantine and spam', value: percent(total('messages', 2), total('messages', 6)) },
    { label: 'Subscribers', value: format(Number(rowsOf('subscribers').at(-1)?.[3] ?? 0)) },
  ];
}
