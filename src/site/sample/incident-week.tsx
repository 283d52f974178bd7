import { sample } from 'content:sample';
import { PlotTable } from '../components/plot-table.tsx';
import { termClass } from '../components/sample-report-section.tsx';
import { shapeSteps } from '../plot-shapes.ts';

const { lead, plot, day, systems, done, days, lesson } = sample.incident;
const size = { width: 720, height: 150 };
const { columns } = shapeSteps(
  days.map(one => one.systems),
  size,
);
const columnWidth = size.width / days.length - 14;

/** A column for each day: what is out of service, and what is back. Then what was done, day by day. */
export function IncidentWeek() {
  return (
    <>
      <p className="mb-8 max-w-reading text-lg">{lead}</p>
      <figure>
        <svg
          aria-hidden="true"
          className="w-full overflow-visible font-mono text-[15px] max-sm:text-[26px]"
          fill="currentColor"
          viewBox={`0 -20 ${size.width} ${size.height + 44}`}
        >
          {columns.map(({ value, left, centre, top }, index) => (
            <g key={left} textAnchor="middle">
              <rect className="text-accent opacity-15" height={top} width={columnWidth} x={left + 7} />
              <rect
                className="text-attention"
                height={size.height - top}
                width={columnWidth}
                x={left + 7}
                y={top}
              />
              <text x={centre} y={top - 6}>
                {value}
              </text>
              <text className="text-muted" x={centre} dy="1.4em" y={size.height}>
                {days[index]?.day}
              </text>
            </g>
          ))}
        </svg>
        <PlotTable columns={[day, systems]} rows={days.map(one => [one.day, one.systems])} title={plot} />
        <figcaption aria-hidden="true" className="mt-3 font-mono text-xs text-muted">
          {plot}
        </figcaption>
      </figure>
      <h3 className={`${termClass} mt-8 mb-2`}>{done}</h3>
      <ol>
        {days.map(one => (
          <li className="grid grid-cols-[3.5rem_1fr] border-t border-hairline py-2" key={one.day}>
            <strong>{one.day}</strong>
            {one.done}
          </li>
        ))}
      </ol>
      <p className="mt-6 max-w-reading font-semibold">{lesson}</p>
    </>
  );
}
