import type { Clock } from '../lib/clock.ts';
import { type Log, loggedPath } from '../lib/log.ts';
import { readBody } from './guards/read-body.ts';
import { problem } from './problem.ts';
import { reply } from './reply.ts';

export type ReportsDeps = { log: Log; clock: Clock };

const bodyLimit = 32 * 1024;
const types = ['application/reports+json', 'application/csp-report', 'application/json'];
const [mostAtOnce, mostInMinute, minuteMs] = [10, 30, 60_000];

/**
 * `POST /api/reports`: a browser tells that a page asked for something its policy forbids. Anybody can make such a report
 * up, so a few in a minute are logged and the others counted, and nothing of them is kept but which rule, on which page.
 */
export function createReports({ log, clock }: ReportsDeps) {
  let minute = 0;
  let seen = 0;

  function take(report: Report, requestId: string): void {
    const now = Math.floor(clock.now().getTime() / minuteMs);
    if (now !== minute) {
      if (seen > mostInMinute) log.warn('browser reports left out', { count: seen - mostInMinute });
      [minute, seen] = [now, 0];
    }
    seen += 1;
    if (seen <= mostInMinute) log.warn('browser report', { requestId, ...report });
  }

  return async (request: Request, { requestId }: { requestId: string }): Promise<Response> => {
    const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
    if (!types.includes(type)) return problem(415, { requestId, title: 'Send reports as browsers do' });
    const body = await readBody(request, bodyLimit);
    if ('status' in body) return problem(body.status, { requestId });
    const reports = parse(body.text);
    if (!reports) return problem(400, { requestId });
    for (const report of reports.slice(0, mostAtOnce)) take(report, requestId);
    return reply(204, requestId, null, {});
  };
}

type Report = { kind: string; rule: string; blocked: string; page: string };
type Fields = Record<string, unknown>;

/** Both ways of telling: a list of reports, and the older single one about the Content-Security-Policy. */
function parse(text: string): Report[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const list = Array.isArray(value) ? value : [value];
  if (!list.every(isFields)) return undefined;
  return list.map(one => {
    const old = one['csp-report'];
    const body = isFields(old) ? old : isFields(one.body) ? one.body : {};
    return {
      kind: word(isFields(old) ? 'csp-violation' : one.type),
      rule: word(
        body.effectiveDirective ?? body['effective-directive'] ?? body['violated-directive'] ?? body.id,
      ),
      blocked: place(body.blockedURL ?? body['blocked-uri']),
      page: pathOf(one.url ?? body['document-uri']),
    };
  });
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One of the few words that browsers use; whatever else it is stays out of the log. */
function word(value: unknown): string {
  return typeof value === 'string' && /^[a-z][a-z-]{0,40}$/i.test(value) ? value : '';
}

/** Of a page: an address of any other kind may have whatever stands behind its colon for a path. */
function pathOf(address: unknown): string {
  const url = typeof address === 'string' ? URL.parse(address) : null;
  return url && /^https?:$/.test(url.protocol) ? loggedPath(url.pathname) : '';
}

/** A keyword such as inline, or whose address it was; never the address itself. */
function place(value: unknown): string {
  const name = word(value);
  if (name || typeof value !== 'string') return name;
  const url = URL.parse(value);
  return url ? loggedPath(`${url.protocol}//${url.host}`).slice(0, 100) : '';
}
