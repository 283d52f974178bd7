import { scaleBand } from 'd3-scale';
import { stack } from 'd3-shape';
import type { Figure } from '../../domain/figures/figure.ts';
import { createValueScale, formatDay, WeekFrame } from './axes.tsx';

/** Columns over weeks. The second series is hatched, so that it differs without colours, too; as a part of the first it stands before it. */
export function StackPlot({ figure: { id, title, columns, rows, plot } }: { figure: Figure }) {
  const weeks = rows.map(([week]) => String(week));
  const names = plot.drawn.map(column => columns[column] ?? '');
  const layers = stack<Figure['rows'][number], number>()
    .keys(plot.drawn)
    .value((row, column) => Number(row[column]))(rows);
  const isPart = plot.kind === 'part';
  const totals = plot.drawn.map(column => rows.reduce((sum, row) => sum + Number(row[column]), 0));
  const x = scaleBand().domain(weeks).range([0, 100]).paddingInner(0.25);
  const y = createValueScale(
    Math.max(...layers.flat().map(([under, over]) => (isPart ? over - under : over))),
  );
  const legend = names.map((name, index) => ({ name, total: totals[index] ?? 0, fill: fills(id)[index] }));
  const label = `${title}: ${legend.map(({ name, total }) => `${name} ${total}`).join(', ')}`;
  return (
    <>
      <WeekFrame label={label} scale={y} weeks={weeks}>
        <Hatch id={id} />
        {layers.map((layer, index) => (
          <g className={tones[index]} fill={fills(id)[index]} key={layer.key} stroke="currentColor">
            {layer.map(([under, over], week) => {
              const [bottom, top] = isPart ? [0, over - under] : [under, over];
              const width = x.bandwidth() * (isPart && index > 0 ? 0.5 : 1);
              const left = (x(weeks[week] ?? '') ?? 0) + (x.bandwidth() - width) / 2;
              return top > bottom ? (
                <rect
                  height={y.at(bottom) - y.at(top)}
                  key={weeks[week]}
                  strokeWidth={index === 0 ? 0 : 1}
                  width={`${width}%`}
                  x={`${left}%`}
                  y={y.at(top)}
                >
                  <title>{`Week from ${formatDay(weeks[week] ?? '')}: ${names[index]} ${top - bottom}`}</title>
                </rect>
              ) : null;
            })}
          </g>
        ))}
      </WeekFrame>
      <ul aria-hidden="true" className="mt-1 ml-10 flex flex-wrap gap-x-4 text-sm">
        {legend.map(({ name, total, fill }, index) => (
          <li className="flex items-center gap-1.5" key={name}>
            <svg aria-hidden="true" className={`size-3 ${tones[index]}`}>
              <rect
                fill={fill}
                height="12"
                stroke="currentColor"
                strokeWidth={index === 0 ? 0 : 2}
                width="12"
              />
            </svg>
            {name} <span className="text-muted">{total.toLocaleString('en-GB')}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

const tones = ['text-accent', 'text-attention'];
const fills = (id: string) => ['currentColor', `url(#hatch-${id})`];

function Hatch({ id }: { id: string }) {
  return (
    <defs>
      <pattern
        className="text-attention"
        height="5"
        id={`hatch-${id}`}
        patternTransform="rotate(45)"
        patternUnits="userSpaceOnUse"
        width="5"
      >
        <rect className="fill-raised" height="5" width="5" />
        <rect fill="currentColor" height="5" width="2" />
      </pattern>
    </defs>
  );
}
