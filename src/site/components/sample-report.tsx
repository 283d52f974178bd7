import sample from 'content:sample';
import type { ReactNode } from 'react';
import { Logo } from './logo.tsx';
import { StatusIcon } from './notice.tsx';
import { Section, SectionHeader } from './section.tsx';

/** The page of a finding. */
export function SampleFinding() {
  const { finding } = sample;
  return (
    <Section isRaised labelledBy="sample" theme="paper">
      <SectionHeader heading={sample.heading} id="sample" label={sample.label} lead={sample.lead} />
      <ReportSheet>
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
      </ReportSheet>
    </Section>
  );
}

/** The page of the re-test: a table with a bar beside each number. */
export function SampleRetest() {
  const { heading, lead, found, after, title, counts, retests } = sample.closing;
  const max = Math.max(...counts.map(row => row.found));
  return (
    <Section isRaised labelledBy="sample" theme="paper">
      <SectionHeader heading={heading} id="sample" label={sample.label} lead={lead} />
      <ReportSheet>
        <div className="grid gap-x-12 gap-y-8 px-6 py-8 sm:px-10 sm:py-10 md:grid-cols-2">
          <table className="w-full text-left">
            <thead className={termClass}>
              <tr>
                {[sample.severity, found, after].map(name => (
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
              {retests.map(({ id, title: finding, result, isClosed }) => (
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
      </ReportSheet>
    </Section>
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

function ReportSheet({ children }: { children: ReactNode }) {
  return (
    <figure className="mt-8">
      <div className="sheet rounded-card border border-hairline bg-high">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-hairline px-6 py-4 sm:px-10">
          <Logo />
          <p className="font-mono text-xs tracking-[0.14em] uppercase">{sample.report}</p>
          <p className="ml-auto rounded-field border-2 border-attention px-3 font-mono text-xs line-tall font-semibold tracking-[0.14em] text-attention uppercase">
            {sample.stamp}
          </p>
        </div>
        {children}
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
