import { finding } from 'content:sample/finding';
import type { ReactNode } from 'react';
import { StatusIcon } from '../../../ui/components/notice.tsx';
import { SampleReportSection, termClass } from './sample-report-section.tsx';

export function Component() {
  const { labels } = finding;
  return (
    <SampleReportSection {...finding}>
      <div className="grid gap-x-12 gap-y-8 px-6 py-8 sm:px-10 sm:py-10 lg:grid-cols-[1fr_19rem]">
        <div>
          <p className="font-mono text-sm text-muted">{finding.id}</p>
          <h3 className="mt-2 text-[clamp(1.5rem,2.6vw,2rem)]">{finding.title}</h3>
        </div>
        <Severity severity={finding.severity} />
        <dl className="grid content-start gap-7">
          <ReportEntry term={labels.evidence}>
            {finding.evidence}
            <Exchange lines={finding.exchange} />
          </ReportEntry>
          <ReportEntry term={labels.impact}>{finding.impact}</ReportEntry>
        </dl>
        <dl className="grid content-start gap-7">
          <ReportEntry term={labels.asset}>
            <span className="font-mono text-sm">{finding.asset}</span>
          </ReportEntry>
          <ReportEntry term={labels.fix}>
            <NumberedSteps steps={finding.fix} />
          </ReportEntry>
          <ReportEntry term={labels.retest}>
            <Closed>{labels.status}</Closed>
            {finding.retest}
          </ReportEntry>
        </dl>
      </div>
    </SampleReportSection>
  );
}

export function Severity({ severity }: { severity: string }) {
  const severityIndex = finding.scale.indexOf(severity);
  return (
    <div>
      <p className="flex justify-between">
        <span className={termClass}>{finding.labels.severity}</span>
        <strong className="text-attention">{severity}</strong>
      </p>
      <div aria-hidden="true" className="mt-3 grid auto-cols-fr grid-flow-col gap-1.5">
        {finding.scale.map((step, index) => (
          <div key={step}>
            <div
              className={`gauge h-2 rounded-pill border border-attention ${index <= severityIndex ? 'bg-attention' : ''}`}
            />
            <p className="mt-1.5 font-mono text-[0.7rem] text-muted">{step}</p>
          </div>
        ))}
      </div>
    </div>
  );
}

export function Exchange({ lines }: { lines: string[] }) {
  return (
    <code className="mt-3 grid gap-0.5 overflow-x-auto rounded-field bg-raised px-4 py-3 text-sm">
      {lines.map(line => (
        <span className="block break-all" key={line}>
          {line}
        </span>
      ))}
    </code>
  );
}

export function NumberedSteps({ steps }: { steps: string[] }) {
  return (
    <ol className="grid gap-1.5">
      {steps.map((step, index) => (
        <li className="grid grid-cols-[1.6rem_1fr]" key={step}>
          <span aria-hidden="true" className="font-mono text-sm line-tall text-accent">
            {index + 1}
          </span>
          {step}
        </li>
      ))}
    </ol>
  );
}

export function Closed({ children }: { children: string }) {
  return (
    <span className="mb-2 flex items-center gap-2 font-semibold text-accent">
      <StatusIcon kind="sent" />
      {children}
    </span>
  );
}

export function ReportEntry({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className={`${termClass} mb-2`}>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
