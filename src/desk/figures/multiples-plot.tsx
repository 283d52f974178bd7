import { scaleBand } from 'd3-scale';
import type { Figure } from '../../domain/figures/figure.ts';
import { createValueScale, formatDay } from './axes.tsx';

const height = 28;
const maxShown = 8;

/** A small plot of all weeks for each column, all to the same scale, with the sum and its share. */
export function MultiplesPlot({ figure: { columns, rows, plot } }: { figure: Figure }) {
  const weeks = rows.map(([week]) => String(week));
  const series = plot.drawn.map(column => {
    const values = rows.map(row => Number(row[column]));
    return { name: columns[column] ?? '', values, total: values.reduce((sum, value) => sum + value, 0) };
  });
  const all = series.reduce((sum, { total }) => sum + total, 0);
  const x = scaleBand().domain(weeks).range([0, 100]).paddingInner(0.25);
  const y = createValueScale(Math.max(...series.flatMap(({ values }) => values)), height);
  return (
    <>
      <ul className="grid gap-2 text-sm">
        {series.slice(0, maxShown).map(({ name, values, total }) => (
          <li
            className="grid grid-cols-[8rem_minmax(0,1fr)_2rem_2.5rem] items-end gap-x-2 sm:grid-cols-[11rem_minmax(0,1fr)_2.5rem_2.5rem]"
            key={name}
          >
            <span>{name}</span>
            <svg aria-hidden="true" className="w-full text-accent" height={height}>
              {values.map((value, index) => (
                <rect
                  fill="currentColor"
                  height={height - y.at(value)}
                  key={weeks[index]}
                  width={`${x.bandwidth()}%`}
                  x={`${x(weeks[index] ?? '')}%`}
                  y={y.at(value)}
                >
                  <title>{`Week from ${formatDay(weeks[index] ?? '')}: ${value}`}</title>
                </rect>
              ))}
              <line
                className="text-edge"
                stroke="currentColor"
                x1="0"
                x2="100%"
                y1={height - 0.5}
                y2={height - 0.5}
              />
            </svg>
            <span className="text-right tabular-nums">{total.toLocaleString('en-GB')}</span>
            <span className="text-right text-muted tabular-nums">{Math.round((100 * total) / all)} %</span>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-xs text-muted">
        Each from {formatDay(weeks[0] ?? '', weeks.length > 52)} to now, to the same scale.
        {series.length > maxShown ? ` The table has ${series.length - maxShown} more.` : ''}
      </p>
    </>
  );
}
