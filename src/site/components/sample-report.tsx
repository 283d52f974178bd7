import sample from 'content:sample';
import type { ReactNode } from 'react';
import { Logo } from './logo.tsx';
import { StatusIcon } from './notice.tsx';
import { Section, SectionHeader } from './section.tsx';

export function SampleReport() {
  return (
    <Section isRaised labelledBy="sample" theme="paper">
      <SectionHeader heading={sample.heading} id="sample" label={sample.label} lead={sample.lead} />
      <ReportPage />
    </Section>
  );
}

function ReportPage() {
  const { finding } = sample;
  return (
    <figure className="mt-12">
      <div className="sheet rounded-card border border-hairline bg-high">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-hairline px-6 py-4 sm:px-10">
          <Logo />
          <p className="font-mono text-xs tracking-[0.14em] uppercase">{sample.report}</p>
          <p className="ml-auto rounded-field border-2 border-attention px-3 font-mono text-xs line-tall font-semibold tracking-[0.14em] text-attention uppercase">
            {sample.stamp}
          </p>
        </div>
        <div className="grid gap-x-12 gap-y-8 px-6 py-8 sm:px-10 sm:py-10 lg:grid-cols-[1fr_19rem]">
          <div>
            <p className="font-mono text-sm text-muted">{finding.id}</p>
            <h3 className="mt-2 text-[clamp(1.5rem,2.6vw,2rem)]">{finding.title}</h3>
          </div>
          <Severity />
          <dl className="grid content-start gap-7">
            <ReportEntry term={sample.evidence}>
              {finding.evidence}
              <code className="mt-3 grid gap-0.5 overflow-x-auto rounded-field bg-raised px-4 py-3 text-sm">
                {finding.exchange.map(line => (
                  <span className="block break-all" key={line}>
                    {line}
                  </span>
                ))}
              </code>
            </ReportEntry>
            <ReportEntry term={sample.impact}>{finding.impact}</ReportEntry>
          </dl>
          <dl className="grid content-start gap-7">
            <ReportEntry term={sample.asset}>
              <span className="font-mono text-sm">{finding.asset}</span>
            </ReportEntry>
            <ReportEntry term={sample.fix}>
              <ol className="grid gap-1.5">
                {finding.fix.map((step, index) => (
                  <li className="grid grid-cols-[1.6rem_1fr]" key={step}>
                    <span aria-hidden="true" className="font-mono text-sm line-tall text-accent">
                      {index + 1}
                    </span>
                    {step}
                  </li>
                ))}
              </ol>
            </ReportEntry>
            <ReportEntry term={sample.retest}>
              <span className="mb-2 flex items-center gap-2 font-semibold text-accent">
                <StatusIcon kind="sent" />
                {sample.status}
              </span>
              {finding.retest}
            </ReportEntry>
          </dl>
        </div>
      </div>
      <figcaption className="mt-4 text-sm text-muted">{sample.note}</figcaption>
    </figure>
  );
}

function Severity() {
  const severityIndex = sample.scale.indexOf(sample.finding.severity);
  return (
    <div>
      <p className="flex justify-between">
        <span className={termClass}>{sample.severity}</span>
        <strong className="text-attention">{sample.finding.severity}</strong>
      </p>
      <div aria-hidden="true" className="mt-3 grid auto-cols-fr grid-flow-col gap-1.5">
        {sample.scale.map((step, index) => (
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

function ReportEntry({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className={`${termClass} mb-2`}>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const termClass = 'font-mono text-xs tracking-[0.08em] text-accent uppercase';
