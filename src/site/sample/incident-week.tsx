import sample from 'content:sample';
import { termClass } from '../components/sample-report-section.tsx';
import { shapeSteps } from '../plot-shapes.ts';

const { lead, plot, day, systems, done, days, lesson } = sample.incident;
const size = { width: 720, height: 150 };
const { columns } = shapeSteps(
  days.map(one => one.systems),
  size,
);
const columnWidth = size.width / days.length - 14;

/** A column for each day: what is out of service, and what is back. The table below it has the same figures. */
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
        <figcaption className="mt-3 font-mono text-xs text-muted">{plot}</figcaption>
      </figure>
      <table className="mt-8 w-full text-left">
        <thead className={termClass}>
          <tr>
            {[day, systems, done].map(name => (
              <th className="pr-4 pb-2 align-bottom font-normal" key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(one => (
            <tr className="border-t border-hairline align-top" key={one.day}>
              <th className="py-2 pr-4 font-semibold" scope="row">
                {one.day}
              </th>
              <td className="py-2 pr-4 font-mono text-sm line-tall">{one.systems}</td>
              <td className="py-2">{one.done}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-6 max-w-reading font-semibold">{lesson}</p>
    </>
  );
}
