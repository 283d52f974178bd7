import { scaleLog } from 'd3-scale';
import type { Figure } from '../../domain/figures/figure.ts';

const shortest = 0.1;

/** From half to 99 % of the deliveries, on a logarithmic scale of seconds: a receiver that was away for a day would hide the rest. */
export function RangePlot({ figure: { rows, plot } }: { figure: Figure }) {
  const [half = 2, most = 3, nearlyAll = 4] = plot.drawn;
  const longest = Math.max(...rows.map(row => Number(row[nearlyAll])), 10);
  const scale = scaleLog().domain([shortest, longest]).range([1, 97]).clamp(true);
  const at = (row: Figure['rows'][number], column: number) => scale(Number(row[column]));
  const ticks = marks.filter(([seconds]) => seconds >= shortest && seconds <= longest);
  const gridClass =
    'grid grid-cols-[7.5rem_minmax(0,1fr)] items-center gap-x-3 sm:grid-cols-[9rem_minmax(0,1fr)]';
  return (
    <>
      <ul className="grid gap-3 text-sm">
        {rows.map(row => (
          <li className={gridClass} key={row[0]}>
            <span>
              {row[0]}{' '}
              <span className="block text-xs text-muted">{row[1]?.toLocaleString('en-GB')} delivered</span>
            </span>
            <span>
              <svg aria-hidden="true" className="w-full overflow-visible text-accent" height="16">
                {ticks.map(([seconds]) => (
                  <line
                    className="text-hairline"
                    key={seconds}
                    stroke="currentColor"
                    x1={`${scale(seconds)}%`}
                    x2={`${scale(seconds)}%`}
                    y1="-6"
                    y2="22"
                  />
                ))}
                <line
                  stroke="currentColor"
                  strokeWidth="2"
                  x1={`${at(row, half)}%`}
                  x2={`${at(row, nearlyAll)}%`}
                  y1="8"
                  y2="8"
                />
                <circle cx={`${at(row, half)}%`} cy="8" fill="currentColor" r="6" />
                <circle
                  className="fill-raised"
                  cx={`${at(row, most)}%`}
                  cy="8"
                  r="4"
                  stroke="currentColor"
                  strokeWidth="2"
                />
                <line
                  stroke="currentColor"
                  strokeWidth="2"
                  x1={`${at(row, nearlyAll)}%`}
                  x2={`${at(row, nearlyAll)}%`}
                  y1="3"
                  y2="13"
                />
              </svg>
              <span className="sr-only">
                half within {formatDuration(Number(row[half]))}, 90 % within{' '}
                {formatDuration(Number(row[most]))}, 99 % within {formatDuration(Number(row[nearlyAll]))}
              </span>
            </span>
          </li>
        ))}
      </ul>
      <div aria-hidden="true" className={`${gridClass} mt-1 text-xs text-muted`}>
        <svg aria-hidden="true" className="overflow-visible text-accent" height="16" width="110">
          <circle cx="6" cy="8" fill="currentColor" r="5" />
          <circle className="fill-raised" cx="46" cy="8" r="4" stroke="currentColor" strokeWidth="2" />
          <line stroke="currentColor" strokeWidth="2" x1="88" x2="88" y1="3" y2="13" />
          <g className="fill-muted">
            <text x="14" y="12">
              half
            </text>
            <text x="54" y="12">
              90 %
            </text>
            <text x="94" y="12">
              99 %
            </text>
          </g>
        </svg>
        <svg aria-hidden="true" className="w-full overflow-visible" height="16">
          {ticks.map(([seconds, text]) => (
            <text fill="currentColor" key={seconds} textAnchor="middle" x={`${scale(seconds)}%`} y="12">
              {text}
            </text>
          ))}
        </svg>
      </div>
    </>
  );
}

const marks: [number, string][] = [
  [1, '1 s'],
  [10, '10 s'],
  [60, '1 min'],
  [600, '10 min'],
  [3600, '1 h'],
  [86_400, '1 day'],
];

function formatDuration(seconds: number): string {
  if (seconds < 60) return `${seconds} seconds`;
  return seconds < 3600 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 360) / 10} hours`;
}
