import { summary } from 'content:sample/summary';
import { StatusIcon } from '../../../ui/components/notice.tsx';
import { SampleReportSection, termClass } from './sample-report-section.tsx';

/** The first page: the outcome in words, and the attack path. */
export function Component() {
  const { title, text, path, steps, broken } = summary;
  return (
    <SampleReportSection {...summary}>
      <div className="grid gap-x-12 gap-y-8 px-6 py-8 sm:px-10 sm:py-10 lg:grid-cols-[1fr_1.5fr]">
        <div>
          <h3 className={`${termClass} mb-2`}>{title}</h3>
          {text.map(paragraph => (
            <p className="mb-3" key={paragraph}>
              {paragraph}
            </p>
          ))}
        </div>
        <div>
          <h3 className={`${termClass} mb-4`}>{path}</h3>
          <ol className="attack-path">
            {steps.map(({ name, text: happened }) => (
              <li key={name}>
                <strong className="block">{name}</strong>
                <span className="text-sm text-muted">{happened}</span>
              </li>
            ))}
          </ol>
          <p className="mt-5 flex items-center gap-2 font-semibold text-accent">
            <StatusIcon kind="sent" />
            {broken}
          </p>
        </div>
      </div>
    </SampleReportSection>
  );
}
