import { area, line } from 'd3-shape';
import type { Figure } from '../../domain/figures/figure.ts';
import { createValueScale, plotHeight, WeekFrame } from './axes.tsx';

/** Subscribers over weeks. */
export function LinePlot({ figure: { title, columns, rows, plot } }: { figure: Figure }) {
  const [column = 1] = plot.drawn;
  const values = rows.map(row => Number(row[column]));
  const scale = createValueScale(Math.max(...values));
  const at = (index: number) => (values.length === 1 ? 100 : (100 * index) / (values.length - 1));
  const last = values.at(-1) ?? 0;
  // The first row is the end of its week: those who joined and left in it came after the start.
  const [, joined, left, end] = rows[0] ?? [];
  const first = Number(end) - Number(joined) + Number(left);
  const label = `${title}: ${columns[column]} from ${first} to ${last}`;
  const draw = line<number>()
    .x((_, index) => at(index))
    .y(value => scale.at(value));
  const fill = area<number>()
    .x((_, index) => at(index))
    .y0(plotHeight)
    .y1(value => scale.at(value));
  return (
    <>
      <WeekFrame label={label} scale={scale} weeks={rows.map(([week]) => String(week))}>
        <svg
          aria-hidden="true"
          className="text-accent"
          height={plotHeight}
          preserveAspectRatio="none"
          viewBox={`0 0 100 ${plotHeight}`}
          width="100%"
        >
          <path d={fill(values) ?? ''} fill="currentColor" opacity="0.15" />
          <path
            d={draw(values) ?? ''}
            fill="none"
            stroke="currentColor"
            strokeLinecap="round"
            strokeWidth="2"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
      </WeekFrame>
      <p aria-hidden="true" className="mt-1 ml-10 text-sm">
        Now <strong>{last.toLocaleString('en-GB')}</strong>{' '}
        <span className="text-muted">
          ({last >= first ? '+' : '−'}
          {Math.abs(last - first).toLocaleString('en-GB')} in this period)
        </span>
      </p>
    </>
  );
}
