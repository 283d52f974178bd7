import { scaleLinear } from 'd3-scale';
import type { ReactNode } from 'react';

export const plotHeight = 160;
const labelHeight = 22;

export type ValueScale = { at(value: number): number; ticks: number[] };

/** From 0 at the bottom to a round number at the top, in pixels. Only whole numbers: it counts. */
export function createValueScale(max: number, height: number = plotHeight): ValueScale {
  const scale = scaleLinear()
    .domain([0, Math.max(max, 1)])
    .nice(4)
    .range([height, 0]);
  return { at: value => scale(value), ticks: scale.ticks(4).filter(Number.isInteger) };
}

type FrameProps = {
  label: string;
  scale: ValueScale;
  weeks: string[];
  children: ReactNode;
};

/** Grid lines, and numbers at the left. The plot is as wide as the page allows: its places are in percent, its texts stay as large. */
export function WeekFrame({ label, scale, weeks, children }: FrameProps) {
  return (
    <div className="flex text-xs">
      <svg
        aria-hidden="true"
        className="w-10 shrink-0 overflow-visible text-muted"
        height={plotHeight + labelHeight}
      >
        {scale.ticks.map(tick => (
          <text
            dominantBaseline="middle"
            fill="currentColor"
            key={tick}
            textAnchor="end"
            x={32}
            y={scale.at(tick)}
          >
            {tick.toLocaleString('en-GB')}
          </text>
        ))}
      </svg>
      <svg
        aria-label={label}
        className="min-w-0 grow overflow-visible"
        height={plotHeight + labelHeight}
        role="img"
        width="100%"
      >
        {scale.ticks.map(tick => (
          <line
            className="text-hairline"
            key={tick}
            stroke="currentColor"
            x1="0"
            x2="100%"
            y1={scale.at(tick)}
            y2={scale.at(tick)}
          />
        ))}
        {children}
        {chooseLabels(weeks).map(({ text, at, anchor }) => (
          <text
            className="text-muted"
            fill="currentColor"
            key={at}
            textAnchor={anchor}
            x={`${at}%`}
            y={plotHeight + labelHeight - 4}
          >
            {text}
          </text>
        ))}
      </svg>
    </div>
  );
}

/** The first and last week, and up to two between: as many as fit on a phone. */
function chooseLabels(weeks: string[]) {
  const last = weeks.length - 1;
  const steps = last < 3 ? 1 : 3;
  const chosen = new Set(Array.from({ length: steps + 1 }, (_, step) => Math.round((step * last) / steps)));
  return [...chosen].map(index => ({
    text: formatDay(weeks[index] ?? '', weeks.length > 52),
    at: last === 0 ? 0 : (100 * (index + (index === last ? 1 : index === 0 ? 0 : 0.5))) / weeks.length,
    anchor: index === 0 ? ('start' as const) : index === last ? ('end' as const) : ('middle' as const),
  }));
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Such as '7 Sep', or 'Sep 2026' where weeks are of several years. */
export function formatDay(iso: string, hasYear = false): string {
  const [year, month = '1', day = '1'] = iso.split('-');
  const name = months[Number(month) - 1];
  return hasYear ? `${name} ${year}` : `${Number(day)} ${name}`;
}
