import { clip } from '../../text.ts';
import type { Mark } from './plot.ts';
import { label, rect, round } from './svg.ts';

export type Row = { name: string; value: number; text: string; mark: Mark };

const labelRoom = 220;

/** Bars from left to right, each with its name: before it where there is room, above it on a phone. */
export function drawRows(width: number, rows: readonly Row[]): { height: number; body: string } {
  const isNarrow = width < 500;
  const rowHeight = isNarrow ? 44 : 30;
  const left = isNarrow ? 0 : labelRoom;
  const valueRoom = 8 + 8 * Math.max(0, ...rows.map(({ text }) => text.length));
  const largest = Math.max(1, ...rows.map(({ value }) => value));
  const scale = (width - left - valueRoom) / largest;
  const body = rows.map(({ name, value, text, mark }, index) => {
    const y = index * rowHeight;
    const barY = isNarrow ? y + 22 : y + 7;
    const length = value > 0 ? Math.max(1, value * scale) : 0;
    return [
      isNarrow
        ? label(0, y + 14, clip(name, 42), 'start', 'name')
        : label(left - 12, y + 20, clip(name, 30), 'end', 'name'),
      rect(mark, left, barY, length, 16),
      label(left + round(length) + 8, barY + 13, text, 'start', 'value'),
    ].join('');
  });
  return { height: rows.length * rowHeight + 4, body: body.join('') };
}
