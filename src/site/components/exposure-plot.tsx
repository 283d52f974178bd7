import { exposure } from 'content:sample/exposure';
import { shapeSteps } from '../plot-shapes.ts';
import { PlotTable } from './plot-table.tsx';

const { title, week, open, weeks } = exposure;
const size = { width: 480, height: 132 };
const { columns, line, area } = shapeSteps(
  weeks.map(({ open: count }) => count),
  size,
);
const points = columns.map((column, index) => ({ ...column, step: weeks[index]?.step }));

/** A step line over time; the table has the same figures for people who do not see it. */
export function ExposurePlot() {
  return (
    <figure className="mt-10 max-w-[30rem] max-lg:mt-8">
      <svg
        aria-hidden="true"
        className="w-full overflow-visible font-mono text-[14px] max-sm:text-[18px]"
        viewBox={`0 -18 ${size.width} ${size.height + 44}`}
      >
        <path className="text-hairline" d={`M0 ${size.height}h${size.width}`} stroke="currentColor" />
        <path className="text-accent opacity-15" d={area} fill="currentColor" />
        <path className="text-accent" d={line} fill="none" stroke="currentColor" strokeWidth="2" />
        {points.map(({ step, value, left, centre, top }, index) => (
          <g fill="currentColor" key={left} textAnchor="middle">
            <text x={centre} y={top - 7}>
              {value}
            </text>
            {step === points[index - 1]?.step ? null : (
              <text className="text-muted" x={centre} y={size.height + 20}>
                {step}
              </text>
            )}
          </g>
        ))}
      </svg>
      <PlotTable
        columns={[week, open]}
        rows={points.map(({ step, value }, index) => [`${index + 1} (${step})`, value])}
        title={title}
      />
      <figcaption aria-hidden="true" className="mt-2 font-mono text-xs text-muted">
        {title}
      </figcaption>
    </figure>
  );
}
