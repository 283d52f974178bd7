import retest from 'content:sample/retest';
import { SampleReportSection } from './sample-report-section.tsx';

/** The page of the re-test: a table with a bar beside each number. */
export function SampleRetest() {
  const { severity, found, after, title, counts, findings } = retest;
  const max = Math.max(...counts.map(row => row.found));
  return (
    <SampleReportSection {...retest}>
      <div className="grid gap-x-12 gap-y-8 px-6 py-8 sm:px-10 sm:py-10 md:grid-cols-2">
        <table className="w-full text-left">
          <thead className={termClass}>
            <tr>
              {[severity, found, after].map(name => (
                <th className="pb-2 font-normal" key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {counts.map(row => (
              <tr className="border-t border-hairline" key={row.severity}>
                <th className="py-2 pr-4 font-semibold" scope="row">
                  {row.severity}
                </th>
                <Bar className="text-attention" max={max} value={row.found} />
                <Bar className="text-accent" max={max} value={row.after} />
              </tr>
            ))}
          </tbody>
        </table>
        <div>
          <h3 className={`${termClass} pb-2`}>{title}</h3>
          <ul>
            {findings.map(({ id, title: finding, result, isClosed }) => (
              <li className="flex gap-4 border-t border-hairline py-2" key={id}>
                <span>{finding}</span>
                <span
                  className={`ml-auto shrink-0 font-semibold ${isClosed ? 'text-accent' : 'text-attention'}`}
                >
                  {result}
                </span>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </SampleReportSection>
  );
}

function Bar({ value, max, className }: { value: number; max: number; className: string }) {
  return (
    <td className="w-1/3 py-2 pr-4">
      <span className="flex items-center gap-2">
        <span className="w-4 font-mono text-sm">{value}</span>
        <svg
          aria-hidden="true"
          className={`h-2.5 w-full ${className}`}
          preserveAspectRatio="none"
          viewBox="0 0 100 10"
        >
          <rect fill="currentColor" height="10" width={(value / max) * 100} />
        </svg>
      </span>
    </td>
  );
}

const termClass = 'font-mono text-xs tracking-[0.08em] text-accent uppercase';
