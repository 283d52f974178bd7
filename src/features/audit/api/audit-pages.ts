import type { RequestContext } from '../../../core/http/admission-control.ts';
import type { EndpointContext } from '../../../core/http/endpoint.ts';
import { parseFields } from '../../../core/http/parse-fields.ts';
import { parseContentType, readBody } from '../../../core/http/read-body.ts';
import { problem, redirect, reply } from '../../../core/http/responses.ts';
import {
  type AuditEvent,
  type AuditFailure,
  type AuditReport,
  type AuditResult,
  auditFields,
  auditPaths,
  deletedFragment,
} from '../contract.ts';
import { limits } from '../requests/audit-limits.ts';
import { deleteReportLink, readReport } from '../requests/read-report.ts';
import { type AuditDeps, encodeStream, maxAuditBytes, startAudit, unbuffered } from './audit.ts';

type Document = { html: string; headers: Record<string, string> };

/** What src/features/audit/pages/render-report.tsx exports. */
export type ReportRenderer = {
  renderAuditReport(report: AuditReport, link: { path: string; ageSeconds: number }): string;
  renderProgress(result: AuditResult): string;
  renderNote(event: Extract<AuditEvent, { type: 'waiting' | 'failed' }>): string;
};

/** The built page of a report, in two parts, with what renders the part between them. */
export type ReportTemplate = ReportRenderer & {
  before: string;
  after: string;
  headers: Record<string, string>;
};

export type AuditPages = {
  getTemplate(): Promise<ReportTemplate>;
  getNotFound(): Promise<Document>;
};

export type AuditPageDeps = AuditDeps &
  Parameters<typeof readReport>[0] &
  Parameters<typeof deleteReportLink>[0] & { auditPages: AuditPages };

/** Without JavaScript the report ends the response that the form waits for, so it must begin at once. */
const maxWaitSeconds = 0;

export async function postAuditForm(
  deps: AuditPageDeps,
  request: Request,
  context: RequestContext,
): Promise<Response> {
  const { requestId } = context;
  const form = await readForm(request);
  if ('status' in form) return problem(form.status, { requestId });
  const domain = form.fields.get(auditFields.domain) ?? '';
  const result = await startAudit(deps, domain, context, { maxWaitSeconds });
  if (result.kind === 'refused') {
    return redirect(`${auditPaths.page}#${result.reason satisfies AuditFailure}`, requestId);
  }
  const template = await deps.auditPages.getTemplate();
  return new Response(encodeStream(renderEvents(template, result.events)), {
    headers: { ...template.headers, ...reportHeaders, ...unbuffered, 'x-request-id': requestId },
  });
}

async function* renderEvents(
  template: ReportTemplate,
  events: AsyncIterable<AuditEvent>,
): AsyncGenerator<string> {
  yield template.before;
  for await (const event of events) {
    if (event.type === 'result') yield template.renderProgress(event.result);
    else if (event.type === 'report') yield template.renderAuditReport(event.report, event);
    else if (event.type !== 'started') yield template.renderNote(event);
  }
  yield template.after;
}

export async function getReportPage(
  deps: AuditPageDeps,
  _: Request,
  { ip, requestId, param: token }: EndpointContext,
): Promise<Response> {
  const seconds = await deps.rateLimit.consume(ip, limits.report);
  if (seconds > 0) return problem(429, { requestId, headers: { 'retry-after': String(seconds) } });
  const report = await readReport(deps, token);
  if (!report) {
    const { html, headers } = await deps.auditPages.getNotFound();
    return reply(404, requestId, html, { ...headers, ...reportHeaders });
  }
  const template = await deps.auditPages.getTemplate();
  const ageMs = deps.clock.now().getTime() - Date.parse(report.measuredAt);
  const link = { path: `${auditPaths.report}/${token}`, ageSeconds: Math.max(1, Math.round(ageMs / 1000)) };
  const html = template.before + template.renderAuditReport(report, link) + template.after;
  return reply(200, requestId, html, { ...template.headers, ...reportHeaders });
}

/** Also for a link that is gone already: what the visitor wants has happened. */
export async function postReport(
  deps: AuditPageDeps,
  request: Request,
  { requestId, param: token }: EndpointContext,
): Promise<Response> {
  const form = await readForm(request);
  if ('status' in form) return problem(form.status, { requestId });
  if (form.fields.get(auditFields.action) !== auditFields.delete) return problem(400, { requestId });
  await deleteReportLink(deps, token);
  return redirect(`${auditPaths.page}#${deletedFragment}`, requestId);
}

/** The path of a report is a secret, which no cache, search engine or other site may learn. Not no-referrer: the page's forms would have no origin. */
const reportHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex',
};

async function readForm(request: Request): Promise<{ fields: URLSearchParams } | { status: number }> {
  if (parseContentType(request) !== 'form') return { status: 415 };
  const body = await readBody(request, maxAuditBytes);
  if ('status' in body) return body;
  const fields = parseFields(body.text);
  return fields ? { fields } : { status: 400 };
}
