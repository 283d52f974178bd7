import { retest } from 'content:sample/retest';
import { SampleReportSection, termClass } from './sample-report-section.tsx';
import { SeverityPlot } from './severity-plot.tsx';

/** The page of the re-test, abridged. */
export function Component() {
  return (
    <SampleReportSection {...retest}>
      <div className="grid gap-x-12 gap-y-8 px-6 py-8 sm:px-10 sm:py-10 md:grid-cols-2">
        <SeverityPlot />
        <div>
          <h3 className={`${termClass} pb-2`}>{retest.title}</h3>
          <ul>
            {retest.findings.map(({ id, title, result, isClosed }) => (
              <li className="flex gap-4 border-t border-hairline py-2" key={id}>
                <span>{title}</span>
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
