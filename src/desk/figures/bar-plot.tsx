import { scaleLinear } from 'd3-scale';
import type { Figure } from '../../domain/figures/figure.ts';

/** A bar for each row, with its number. The list is read as it stands, so that it needs no other text. */
export function BarPlot({ figure: { rows, plot } }: { figure: Figure }) {
  const [column = 1] = plot.drawn;
  const width = scaleLinear()
    .domain([0, Math.max(...rows.map(row => Number(row[column])), 1)])
    .range([0, 100]);
  return (
    <ul className="grid gap-2 text-sm">
      {rows.map(row => (
        <li
          className="grid grid-cols-[8.5rem_minmax(0,1fr)_3rem] items-center gap-x-3 sm:grid-cols-[11rem_minmax(0,1fr)_3.5rem]"
          key={row[0]}
        >
          <span>{row[0]}</span>
          <svg aria-hidden="true" className="w-full text-accent" height="14">
            <rect fill="currentColor" height="14" width={`${width(Number(row[column]))}%`} />
            <line className="text-edge" stroke="currentColor" x1="0.5" x2="0.5" y1="0" y2="14" />
          </svg>
          <span className="text-right tabular-nums">{row[column]?.toLocaleString('en-GB')}</span>
        </li>
      ))}
    </ul>
  );
}
