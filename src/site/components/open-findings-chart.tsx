import home from 'content:home';

const { title, week, open, weeks } = home.exposure;
const [width, height, top] = [480, 150, 18];
const max = Math.max(...weeks.map(({ open: count }) => count), 1);
const columnWidth = width / weeks.length;
const points = weeks.map(({ step, open: count }, index) => ({
  step,
  count,
  left: index * columnWidth,
  y: top + (1 - count / max) * (height - top),
}));

/** A step line over time; the table has the same figures for people who do not see it. */
export function OpenFindingsChart() {
  return (
    <figure className="mt-10 max-w-[30rem] max-lg:mt-8">
      <svg
        aria-hidden="true"
        className="w-full overflow-visible font-mono text-[14px]"
        viewBox={`0 0 ${width} ${height + 26}`}
      >
        <path className="text-hairline" d={`M0 ${height}h${width}`} stroke="currentColor" />
        <path
          className="text-accent opacity-15"
          d={`M0 ${height}${linePath('L')}V${height}z`}
          fill="currentColor"
        />
        <path className="text-accent" d={linePath('M')} fill="none" stroke="currentColor" strokeWidth="2" />
        {points.map(({ step, count, left, y }, index) => (
          <g fill="currentColor" key={left} textAnchor="middle">
            <text x={left + columnWidth / 2} y={y - 7}>
              {count}
            </text>
            {step === points[index - 1]?.step ? null : (
              <text className="text-muted" x={left + columnWidth / 2} y={height + 20}>
                {step}
              </text>
            )}
          </g>
        ))}
      </svg>
      <div className="sr-only">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{week}</th>
              <th scope="col">{open}</th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ step, count, left }, index) => (
              <tr key={left}>
                <th scope="row">
                  {index + 1} ({step})
                </th>
                <td>{count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <figcaption aria-hidden="true" className="mt-2 font-mono text-xs text-muted">
        {title}
      </figcaption>
    </figure>
  );
}

function linePath(start: 'M' | 'L'): string {
  return points
    .map(({ left, y }, index) => `${index === 0 ? `${start}${left} ${y}` : `V${y}`}H${left + columnWidth}`)
    .join('');
}
