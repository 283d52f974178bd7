import { renderToStaticMarkup } from 'react-dom/server';
import type { AuditEvent, AuditReport, AuditResult } from '../../api/contract.ts';

/** The bundle that the server uses for the HTML of a report; it writes each string between the template's two comments. */
export function renderAuditReport(
  report: AuditReport,
  { path, ageSeconds }: { path: string; ageSeconds: number },
): string {
  return renderToStaticMarkup(
    <section id="report">
      <h2>{report.domain}</h2>
      <p>
        {report.grade} {ageSeconds}
      </p>
      <a href={path}>{path}</a>
    </section>,
  );
}

/** Without JavaScript: one line for each check as it ends. */
export function renderProgress(result: AuditResult): string {
  return renderToStaticMarkup(
    <p>
      {result.check} {result.status}
    </p>,
  );
}

/** Without JavaScript: how long the visitor waits, or why there is no report. */
export function renderNote(event: Extract<AuditEvent, { type: 'waiting' | 'failed' }>): string {
  return renderToStaticMarkup(<p>{event.type === 'waiting' ? event.seconds : event.reason}</p>);
}
