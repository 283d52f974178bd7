import { audit } from 'content:audit';
import { auditSample as sample } from 'content:audit-sample';
import { renderToStaticMarkup } from 'react-dom/server';
import { buttonClass } from '../../../ui/components/button.ts';
import { Notice } from '../../../ui/components/notice.tsx';
import {
  type AuditEvent,
  type AuditReport,
  type AuditResult,
  auditPaths,
  auditTemplate,
} from '../contract.ts';
import { fillValues, findTitle } from './audit-words.ts';
import { Report } from './report.tsx';
import { ReportActions } from './report-actions.tsx';
import { colourClass, StatusMark } from './status.tsx';

/** The bundle that the server uses for the HTML of a report; it writes each string between the template's two comments. */
export function renderAuditReport(
  report: AuditReport,
  { path, ageSeconds }: { path: string; ageSeconds: number },
): string {
  return renderToStaticMarkup(<Report ageSeconds={ageSeconds} path={path} report={report} />);
}

/** Without JavaScript: one line for each check as it ends. The style sheet hides them once the report follows. */
export function renderProgress({ check, status }: AuditResult): string {
  return renderToStaticMarkup(
    <div className="audit-progress">
      <p className="mx-auto flex max-w-page items-center gap-4 px-5 py-2 sm:px-8">
        <StatusMark status={status} />
        {findTitle(check)}
        <span className={`ml-auto font-mono text-xs uppercase ${colourClass[status]}`}>
          {audit.statuses[status]}
        </span>
      </p>
    </div>,
  );
}

/** Without JavaScript: how long the visitor waits, or why there is no report. */
export function renderNote(event: Extract<AuditEvent, { type: 'waiting' | 'failed' }>): string {
  if (event.type === 'waiting')
    return renderToStaticMarkup(
      <p className={waitingClass}>{fillValues(audit.progress.wait, { ...event })}</p>,
    );
  return renderToStaticMarkup(
    <div className="mx-auto max-w-page px-5 py-12 sm:px-8" data-theme="paper" id="report">
      <Notice
        heading={audit.failures.heading}
        kind="refused"
        next={audit.failures[event.reason].replace('{when}', audit.failures.later)}
      />
      <p className="mt-6">
        <a className={buttonClass.primary} href={auditPaths.page}>
          {audit.progress.again}
        </a>
      </p>
    </div>,
  );
}

/** The page between whose comments the server writes: as a page of its own it shows the sample, with every class in use. */
export function renderTemplate(): string {
  const [result] = sample.results;
  const unused = [
    renderNote({ type: 'waiting', ahead: 1, seconds: 1 }),
    result ? renderProgress(result) : '',
    renderNote({ type: 'failed', reason: 'unexpected' }).replace(' id="report"', ''),
    renderToStaticMarkup(<ReportActions path={auditPaths.report} report={sample} />),
  ];
  return [
    renderToStaticMarkup(<p className={waitingClass}>{audit.progress.running}</p>),
    auditTemplate.start,
    renderToStaticMarkup(<Report ageSeconds={0} isSample path={auditPaths.report} report={sample} />),
    `<div hidden>${unused.join('')}</div>`,
    auditTemplate.end,
  ].join('');
}

const waitingClass = 'audit-progress mx-auto max-w-page px-5 py-8 text-xl font-semibold sm:px-8';
