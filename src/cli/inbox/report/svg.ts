import { visible } from '../../text.ts';
import { nameWeeks, niceTicks } from './scale.ts';

/** Whatever it is, it is text: no mark-up, and nothing that turns the line it stands in around. */
export function escapeHtml(text: string): string {
  return visible(text.toWellFormed())
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

type Anchor = 'start' | 'middle' | 'end';

export function label(x: number, y: number, text: string, anchor: Anchor = 'start', kind = ''): string {
  const name = kind ? ` class="${kind}"` : '';
  return `<text${name} x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escapeHtml(text)}</text>`;
}

export function line(kind: string, x1: number, y1: number, x2: number, y2: number): string {
  return `<line class="${kind}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`;
}

export function rect(kind: string, x: number, y: number, width: number, height: number): string {
  return `<rect class="${kind}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"/>`;
}

export function round(value: number): number {
  return Number(value.toFixed(1));
}

const top = 14;
const axisHeight = 26;
/** One week is not a wall. */
const widestBand = 56;

export type WeekFrame = {
  height: number;
  /** The left edge of a week, and its width. */
  x(index: number): number;
  band: number;
  y(value: number): number;
  /** Rules, numbers and the names of weeks. */
  axes: string;
};

/** Weeks from left to right, values from the ground up. */
export function frameWeeks(
  width: number,
  mondays: readonly string[],
  axis: { largest: number; smallestStep?: number; format(value: number): string },
): WeekFrame {
  const height = width < 500 ? 220 : 260;
  const ticks = niceTicks(
    axis.largest,
    axis.smallestStep === undefined ? {} : { smallestStep: axis.smallestStep },
  );
  const highest = ticks.at(-1) ?? 1;
  const names = ticks.map(axis.format);
  const left = 12 + 7 * Math.max(...names.map(({ length }) => length));
  const right = width - 4;
  const bottom = height - axisHeight;
  const band = Math.min(widestBand, (right - left) / Math.max(1, mondays.length));
  const x = (index: number) => left + index * band;
  const y = (value: number) => bottom - (value / highest) * (bottom - top);
  const rules = ticks.map((tick, index) =>
    [
      line(index === 0 ? 'ground' : 'rule', left, y(tick), right, y(tick)),
      label(left - 8, y(tick) + 4, names[index] ?? '', 'end'),
    ].join(''),
  );
  const weeks = nameWeeks(mondays, band).map(({ index, name }) => {
    const middle = x(index) + band / 2;
    const isLast = middle > right - 26;
    const tick = line('tick', middle, bottom, middle, bottom + 5);
    return (
      tick + label(isLast ? right : Math.max(middle, left + 14), bottom + 20, name, isLast ? 'end' : 'middle')
    );
  });
  return { height, x, band, y, axes: [...rules, ...weeks].join('') };
}

/** Bars of one mark as a single shape, each from one value to another. */
export function bars(frame: WeekFrame, kind: string, spans: readonly { from: number; to: number }[]): string {
  const { x, y, band } = frame;
  // Weeks that are narrower than a line leave no gap between them.
  const gap = band > 4 ? Math.min(band / 4, 6) : band > 2 ? 0.5 : 0;
  const shapes = spans.flatMap(({ from, to }, index) =>
    to > from
      ? `M${round(x(index) + gap / 2)} ${round(y(from))}V${round(y(to))}h${round(Math.max(band - gap, 0.8))}V${round(y(from))}z`
      : [],
  );
  return shapes.length > 0 ? `<path class="${kind}" d="${shapes.join('')}"/>` : '';
}
