import { retest } from 'content:sample/retest';
import { termClass } from './sample-report-section.tsx';

/** Findings by severity before and after the re-test: a table with a bar beside each number. */
export function SeverityPlot() {
  const { severity, found, after, counts } = retest;
  const max = Math.max(...counts.map(row => row.found));
  return (
    <table className="w-full text-left">
      <thead className={`${termClass} max-sm:tracking-normal`}>
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
