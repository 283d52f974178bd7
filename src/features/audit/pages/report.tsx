import { audit } from 'content:audit';
import { settings } from 'content:settings';
import { buttonClass } from '../../../ui/components/button.ts';
import { ArrowIcon } from '../../../ui/components/icon.tsx';
import { Section, SectionHeader, StepNumber } from '../../../ui/components/section.tsx';
import { type AuditReport, auditPaths } from '../contract.ts';
import type { CheckGroup } from '../terms.ts';
import { listFirst } from './audit-words.ts';
import { CheckEntry } from './check-entry.tsx';
import { ReportActions } from './report-actions.tsx';
import { ReportSummary } from './report-summary.tsx';
import { colourClass } from './status.tsx';

type ReportProps = { report: AuditReport; path: string; ageSeconds: number; isSample?: boolean };

export function Report({ report, path, ageSeconds, isSample = false }: ReportProps) {
  return (
    <article id="report">
      <ReportSummary ageSeconds={ageSeconds} isSample={isSample} report={report} />
      <FirstSteps report={report} />
      <section className="bg-raised" data-theme="paper">
        <div className="mx-auto grid max-w-page gap-20 px-5 py-section sm:px-8">
          {report.groups.map(({ group }) => (
            <GroupResults group={group} key={group} report={report} />
          ))}
        </div>
      </section>
      {isSample ? null : <ReportActions path={path} report={report} />}
      {isSample && settings.AUDIT !== 'off' ? <TryOwn /> : null}
      <Grading />
    </article>
  );
}

function GroupResults({ group, report }: { group: CheckGroup; report: AuditReport }) {
  const { title, text, checks } = audit.groups[group];
  const order = Object.keys(checks);
  const results = report.results
    .filter(result => result.group === group)
    .toSorted((one, other) => order.indexOf(one.check) - order.indexOf(other.check));
  return (
    <section aria-labelledby={group}>
      <h2 className="text-[clamp(1.8rem,3vw,2.4rem)]" id={group}>
        {title}
      </h2>
      <p className="mt-3 max-w-reading text-muted">{text}</p>
      <div className="mt-7 border-b border-hairline">
        {results.map(result => (
          <CheckEntry domain={report.domain} key={result.check} result={result} />
        ))}
      </div>
    </section>
  );
}

function FirstSteps({ report }: { report: AuditReport }) {
  const { first, firstLead, nothing, nothingText, jump } = audit.report;
  const steps = listFirst(report);
  return (
    <Section labelledBy="first" theme="paper">
      <SectionHeader
        heading={steps.length > 0 ? first : nothing}
        id="first"
        lead={steps.length > 0 ? firstLead : nothingText}
      />
      {steps.length > 0 ? (
        <ol className="mt-8 grid gap-6 lg:grid-cols-3">
          {steps.map(({ id, status, words }, index) => (
            <li className="flex flex-col rounded-card border border-hairline bg-high p-6" key={id}>
              <p className="flex justify-between gap-4">
                <StepNumber className="" value={index + 1} />
                <span className={`capitals ${colourClass[status]}`}>{audit.statuses[status]}</span>
              </p>
              <h3 className="mt-3 text-xl">{words.title}</h3>
              <p className="mt-2 text-muted">{words.text}</p>
              <a
                className="mt-auto inline-flex min-h-11 self-start pt-4 items-center font-semibold text-accent underline decoration-transparent underline-offset-4 hover:decoration-accent print:hidden"
                href={`#${id}`}
              >
                {jump}
                <span className="sr-only">: {words.title}</span>
              </a>
            </li>
          ))}
        </ol>
      ) : null}
    </Section>
  );
}

function TryOwn() {
  return (
    <Section theme="paper">
      <div
        className="flex flex-wrap items-center justify-between gap-x-12 gap-y-7 rounded-card px-6 py-9 sm:px-10 sm:py-11 print:hidden"
        data-theme="ink"
      >
        <h2 className="max-w-[13.5em] text-[clamp(1.6rem,2.6vw,2.1rem)]">{audit.heading}</h2>
        <a className={buttonClass.large} href={auditPaths.page}>
          {audit.report.tryOwn} <ArrowIcon />
        </a>
      </div>
    </Section>
  );
}

/** The tables of weights and limits, as in content/audit.yaml. */
function Grading() {
  const { weightsHeading, weightsText, capsText, check, weight, fault, best, reason, limits } = audit.report;
  return (
    <section aria-labelledby="grading" className="bg-raised" data-theme="paper">
      <div className="mx-auto max-w-page px-5 py-14 sm:px-8">
        <p className="max-w-reading text-muted">{limits}</p>
        <details className="mt-8 border-y border-hairline">
          <summary className="flex min-h-16 items-center gap-5 text-lg font-semibold" id="grading">
            {weightsHeading}
          </summary>
          <p className="max-w-reading pb-4 text-muted">{weightsText}</p>
          <ReasonTable
            head={[check, weight, reason]}
            rows={Object.values(audit.groups)
              .flatMap(({ checks }) => Object.values(checks))
              .map(({ title, weight, reason }) => [title, weight, reason])}
          />
          <p className="max-w-reading pt-6 pb-4 text-muted">{capsText}</p>
          <ReasonTable
            head={[fault, best, reason]}
            rows={Object.values(audit.caps).map(({ title, best, reason }) => [title, best, reason])}
          />
        </details>
      </div>
    </section>
  );
}

type Row<Value> = [title: string, value: Value, reason: string];

function ReasonTable({ head, rows }: { head: Row<string>; rows: Row<string | number>[] }) {
  return (
    <table className="mb-6 w-full text-left text-sm">
      <thead className="font-mono text-xs text-accent">
        <tr>
          {head.map(title => (
            <th className="py-2 pr-4 whitespace-nowrap" key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([title, value, reason]) => (
          <tr className="border-t border-hairline" key={title}>
            <th className="py-2 pr-4 align-top font-semibold" scope="row">
              {title}
            </th>
            <td className="py-2 pr-4 align-top font-mono">{value}</td>
            <td className="py-2 align-top text-muted">{reason}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
