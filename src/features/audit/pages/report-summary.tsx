import { audit } from 'content:audit';
import { buttonClass } from '../../../ui/components/button.ts';
import { PrintButton } from '../../../ui/components/print-button.tsx';
import { Eyebrow } from '../../../ui/components/section.tsx';
import type { AuditReport } from '../contract.ts';
import { checkStatuses, isCutShort } from '../terms.ts';
import { fillValues, formatAge, formatTime } from './audit-words.ts';
import { Rings } from './rings.tsx';

type ReportSummaryProps = { report: AuditReport; ageSeconds: number; isSample: boolean };

/** The first screen of a report: the grade in words, the rings and their table. */
export function ReportSummary({ report, ageSeconds, isSample }: ReportSummaryProps) {
  const { domain, measuredAt, grade, score, caps, groups } = report;
  const { label, measured, graded, ungraded, limited, age, print, sample } = audit.report;
  return (
    <section className="hero" data-theme="ink">
      <div className="mx-auto grid max-w-page items-center gap-x-16 gap-y-12 px-5 py-hero sm:px-8 lg:grid-cols-[1.1fr_1fr]">
        <div>
          <Eyebrow>{label}</Eyebrow>
          <h1 className="text-[clamp(min(2.1rem,13vw),4.8vw,3.5rem)]" tabIndex={-1}>
            {domain}
          </h1>
          {isSample ? (
            <p className="mt-4 inline-block rounded-field border-2 border-attention px-3 capitals line-tall font-semibold tracking-[0.14em] text-attention">
              {audit.example.stamp}
            </p>
          ) : null}
          <p className="mt-6 text-xl font-semibold">
            {grade ? fillValues(graded, { grade, score: score ?? 0 }) : ungraded}
          </p>
          {caps.length > 0 ? (
            <Caps caps={caps} />
          ) : (
            <p className={verdictClass}>
              {grade ? audit.grades[grade].text : isCutShort(report) ? limited : audit.report.notMeasurable}
            </p>
          )}
          <p className="mt-6 max-w-reading text-sm text-muted">
            {isSample ? sample : fillValues(measured, { time: formatTime(measuredAt) })}
            {ageSeconds >= 120 ? ` ${fillValues(age, { age: formatAge(ageSeconds) })}` : ''}
          </p>
          {isSample ? null : (
            <p className="mt-8 flex flex-wrap gap-3 print:hidden">
              <a className={buttonClass.primary} href="#send">
                {audit.send.heading}
              </a>
              <PrintButton>{print}</PrintButton>
            </p>
          )}
        </div>
        <div>
          <Rings
            className="mx-auto w-full max-w-[22rem]"
            grade={grade}
            rings={groups.map(one => ({ name: audit.groups[one.group].title, score: one.score }))}
          />
          <GroupTable report={report} />
        </div>
      </div>
    </section>
  );
}

/** Why the grade is worse than the points. A report may be older than the words. */
function Caps({ caps }: Pick<AuditReport, 'caps'>) {
  return caps.map(id => {
    const { best, title, reason } = audit.caps[id] ?? {};
    return best && title ? (
      <p className={verdictClass} key={id}>
        <strong className="text-attention">{fillValues(audit.report.capped, { grade: best, title })}</strong>{' '}
        {reason}
      </p>
    ) : null;
  });
}

function GroupTable({ report: { groups, results } }: { report: AuditReport }) {
  const { group: groupLabel, points, found, noPoints, groupPoints } = audit.report;
  return (
    <table className="mx-auto mt-8 w-full max-w-[32rem] border-b border-hairline text-left text-sm">
      <caption className="sr-only">{audit.report.score}</caption>
      <thead className="font-mono text-xs text-accent">
        <tr>
          <th className={cellClass} scope="col">
            {groupLabel}
          </th>
          <th className={cellClass} scope="col">
            {points}
          </th>
          <th className={cellClass} scope="col">
            {found}
          </th>
        </tr>
      </thead>
      <tbody>
        {groups.map(({ group, score }) => (
          <tr className="border-t border-hairline" key={group}>
            <th className={`${cellClass} font-semibold`} scope="row">
              {audit.groups[group].title}
            </th>
            <td className={`${cellClass} whitespace-nowrap`}>
              {score === null ? noPoints : fillValues(groupPoints, { score })}
            </td>
            <td className={`${cellClass} wrap-anywhere text-muted`}>
              {describeCounts(results.filter(result => result.group === group))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function describeCounts(results: AuditReport['results']): string {
  return checkStatuses
    .map(status => ({ status, count: results.filter(result => result.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${audit.statuses[status].toLowerCase()}`)
    .join(', ');
}

const verdictClass = 'mt-2 max-w-[30em] text-lg text-muted';
const cellClass = 'py-2.5 pr-3 align-top sm:pr-4';
