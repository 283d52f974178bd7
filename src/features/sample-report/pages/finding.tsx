import { sample } from 'content:sample';
import { Closed, Exchange, NumberedSteps, ReportEntry, Severity } from './sample-finding.tsx';

type FindingProps = { finding: (typeof sample.findings)[number] };

export function Finding({ finding }: FindingProps) {
  const { labels } = sample.finding;
  return (
    <div className="grid gap-x-10 gap-y-8 md:grid-cols-[1fr_15rem] print:block print:*:mt-6">
      <div>
        <p className="font-mono text-sm text-muted">{finding.id}</p>
        <h3 className="mt-2 text-2xl">{finding.title}</h3>
      </div>
      <Severity severity={finding.severity} />
      <dl className="grid content-start gap-7 print:gap-5">
        <ReportEntry term={labels.evidence}>
          {finding.evidence}
          <Exchange lines={finding.exchange} />
        </ReportEntry>
        <ReportEntry term={labels.impact}>{finding.impact}</ReportEntry>
        <ReportEntry term={labels.reproduce}>
          <NumberedSteps steps={finding.reproduce} />
        </ReportEntry>
        <ReportEntry term={labels.fix}>
          <NumberedSteps steps={finding.fix} />
        </ReportEntry>
      </dl>
      <dl className="grid content-start gap-7 print:gap-5 print:grid-cols-[2fr_1fr_1fr_1fr] print:*:last:col-span-4">
        <ReportEntry term={labels.score}>
          <strong className="block">{finding.score}</strong>
          <span className="font-mono text-xs break-all text-muted">{finding.vector}</span>
        </ReportEntry>
        <ReportEntry term={labels.asset}>
          <span className="font-mono text-sm">{finding.asset}</span>
        </ReportEntry>
        <ReportEntry term={labels.owner}>{finding.owner}</ReportEntry>
        <ReportEntry term={labels.due}>{finding.due}</ReportEntry>
        <ReportEntry term={labels.retest}>
          <Closed>{labels.status}</Closed>
          {finding.retest}
        </ReportEntry>
      </dl>
    </div>
  );
}
