import { type AdmissionDeps, notStoredResponse, tryStore } from '../../../core/http/admission-control.ts';
import { readBody } from '../../../core/http/read-body.ts';
import { problem, reply } from '../../../core/http/responses.ts';
import { verifyWebhookSignature } from '../../../core/http/webhook-signature.ts';
import { newsletterCounter } from '../counters.ts';
import { type SuppressDeps, suppressSubscriber } from '../suppress-subscriber.ts';
import { type BounceReport, parseBounceReports } from './parse-bounce-reports.ts';

export type BouncesDeps = SuppressDeps & AdmissionDeps & { bounceSecrets: readonly Buffer[] };

const maxBounceBytes = 256 * 1024;

export async function postBounces(
  deps: BouncesDeps,
  request: Request,
  { requestId }: { requestId: string },
): Promise<Response> {
  const body = await readBody(request, maxBounceBytes);
  if ('status' in body) return problem(body.status, { requestId });
  const options = { secrets: deps.bounceSecrets, now: deps.clock.now() };
  if (!verifyWebhookSignature(request.headers, body.text, options)) return problem(401, { requestId });
  const reports = parseBounceReports(body.text);
  if (!reports) return problem(400, { requestId });
  const result = await tryStore(deps, { requestId }, 'bounce', () => suppressAll(deps, reports));
  deps.counters.count(newsletterCounter, {
    action: 'bounce',
    result: typeof result === 'object' ? result.kind : 'done',
  });
  if (typeof result === 'object') return notStoredResponse(result, { requestId });
  deps.log.info('bounces processed', { requestId, reports: reports.length, suppressed: result });
  return reply(204, requestId, null, {});
}

async function suppressAll(deps: BouncesDeps, reports: BounceReport[]): Promise<number> {
  let suppressed = 0;
  for (const { email, reason } of reports) {
    if ((await suppressSubscriber(deps, email, reason)).kind === 'suppressed') suppressed += 1;
  }
  return suppressed;
}
