import { type Outcome, type RetryableFailure, retryLater } from '../../../core/outbox/delivery.ts';
import { AttemptError, type Failure } from '../../../core/outbox/failures.ts';
import { classifyResponse, type HttpResponse, sendRequest } from '../../../core/outbox/http-client.ts';
import type { OwnerReceiver } from '../payloads.ts';
import { type AdaptedRow, adaptRow } from './adapters.ts';
import { createRow, referenceCell } from './sheet-row.ts';
import type { SheetServiceSettings } from './sheet-settings.ts';
import { sheetType } from './sheet-type.ts';

type Request = (Pick<AdaptedRow, 'method' | 'body'> | { method: 'GET' }) & {
  url: string;
  signal: AbortSignal;
};
type Reply = { response: HttpResponse | RetryableFailure; hasScriptRun: boolean };

const maxCallMs = 15_000;
const googleOrigin = 'https://script.googleusercontent.com';
/** The whole answer of deploy/google-sheet.gs: visitor input cannot lead to it. */
const secretRefused = JSON.stringify({ stored: false, error: 'wrong secret' });

export function createSheetServiceReceiver(settings: SheetServiceSettings): OwnerReceiver {
  const { adapter, success, lookupUrl } = settings;
  const isSuccess = ({ status, body }: HttpResponse) =>
    success.statuses.includes(status) && (success.text === undefined || body.includes(success.text));

  function classify(response: HttpResponse): Outcome {
    const { status } = response;
    // The row was probably written: it is sent again only when the owner says so.
    if (status >= 200 && status < 300 && !success.statuses.includes(status)) {
      const failure: Failure = { code: 'answered-not-counted', status, setting: 'SHEET_SUCCESS' };
      return { kind: 'permanent', failure, isUnknownMailbox: false, isAmbiguous: true };
    }
    return classifyResponse(response, isSuccess);
  }

  return {
    ...sheetType,
    destination: new URL(settings.url).host,
    concurrency: 2,
    perSecond: settings.perSecond,
    isIdempotent: adapter.kind === 'records' && adapter.upsert !== undefined,
    async deliver(payload, { signal }) {
      const adapted = adaptRow(settings, createRow(payload, settings.columns));
      const { response, hasScriptRun } = await send(settings, { ...adapted, signal });
      if (hasScriptRun && response.kind === 'response' && response.body === secretRefused)
        return { kind: 'misconfigured', failure: { code: 'wrong-secret', setting: 'SHEET_URL' } };
      const outcome = response.kind === 'retry' ? response : classify(response);
      return hasScriptRun ? markAmbiguous(outcome) : outcome;
    },
    ...(lookupUrl && {
      async find(payload, signal) {
        const reference = referenceCell(payload);
        const url = lookupUrl.replaceAll('{reference}', encodeURIComponent(reference));
        const { response } = await send(settings, { method: 'GET', url, signal });
        return hasStoredReference(response, reference);
      },
    }),
  };
}

async function send(settings: SheetServiceSettings, request: Request): Promise<Reply> {
  const { auth, adapter, scriptOrigin = googleOrigin } = settings;
  const started = performance.now();
  const response = await sendRequest({
    ...request,
    headers: {
      accept: 'application/json',
      ...('body' in request ? { 'content-type': 'application/json' } : {}),
      ...(auth ? { [auth.name]: auth.value } : {}),
    },
  });
  if (adapter.kind !== 'script' || response.kind === 'retry' || response.status !== 302) {
    return { response, hasScriptRun: false };
  }

  // Google answers for a script from another host, which gets no credential. No other redirect is followed.
  const next = URL.parse(response.headers.get('location') ?? '');
  if (next?.origin !== scriptOrigin) {
    return { response: retryLater({ code: 'script-redirect' }, false), hasScriptRun: false };
  }
  const timeoutMs = Math.max(1, Math.round(maxCallMs - (performance.now() - started)));
  const { signal } = request;
  return { response: await sendRequest({ url: next, method: 'GET', signal, timeoutMs }), hasScriptRun: true };
}

/** Once the script has run, no error proves that the row is missing. */
function markAmbiguous(outcome: Outcome): Outcome {
  return outcome.kind === 'delivered' ? outcome : { ...outcome, kind: 'retry', isAmbiguous: true };
}

/** The reference must be a whole JSON value: a message that only mentions it does not count. */
function hasStoredReference(response: HttpResponse | RetryableFailure, reference: string): boolean {
  if (response.kind === 'retry')
    throw new AttemptError({ code: 'look-up-failed', failure: response.failure });
  if (response.status === 404) return false;
  if (response.status !== 200) throw new AttemptError({ code: 'look-up-answered', status: response.status });
  if (response.body.includes(JSON.stringify(reference))) return true;
  if (response.isTruncated) throw new AttemptError({ code: 'look-up-too-long' });
  return false;
}
