import { explainConnectError } from './connection-errors.ts';
import { type Outcome, type RetryableFailure, retryLater } from './delivery.ts';
import type { Failure } from './failures.ts';

export type HttpRequest = {
  url: string | URL;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  headers?: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  timeoutMs?: number;
};

export type HttpResponse = {
  kind: 'response';
  status: number;
  headers: Headers;
  /** At most 64 KiB. It may repeat what a visitor wrote, so it is never logged. */
  body: string;
  isTruncated: boolean;
  retryAfterMs?: number | undefined;
};

const defaultTimeoutMs = 15_000;
const maxBodyBytes = 64 * 1024;
const maxRetryAfterMs = 24 * 60 * 60 * 1000;

export async function sendRequest(request: HttpRequest): Promise<HttpResponse | RetryableFailure> {
  if (request.signal.aborted) return retryLater({ code: 'stopped-before' }, false);
  const timeoutMs = request.timeoutMs ?? defaultTimeoutMs;
  const deadline = performance.now() + timeoutMs;
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([limit, request.signal]);
  const explain = (error: unknown) => {
    if (limit.aborted) return retryLater({ code: 'no-answer-within', seconds: timeoutMs / 1000 }, true);
    return signal.aborted ? retryLater({ code: 'stopped-waiting' }, true) : classifyFetchError(error);
  };

  let response: Response;
  try {
    const { headers: sent, ...content } = createRequestBody(request.body, deadline);
    response = await fetch(request.url, {
      method: request.method,
      // No keep-alive: a connection that closes during a write would make the delivery ambiguous.
      headers: { ...request.headers, ...sent, connection: 'close' },
      ...content,
      redirect: 'manual',
      signal,
    });
  } catch (error) {
    return explain(error);
  }

  const { status, headers } = response;
  const body = await readBody(response);
  // An error status keeps its meaning without its body; a success that breaks off may not have been one.
  if (body.error !== undefined && response.ok) {
    const { failure } = explain(body.error);
    return retryLater({ code: 'answer-broke-off', status, failure }, true);
  }
  return {
    kind: 'response',
    status,
    headers,
    body: body.text,
    isTruncated: body.isTruncated,
    retryAfterMs: readRetryAfter(headers.get('retry-after')),
  };
}

/** Sends no body after the deadline: after a suspend the connection opens before timers fire, when the lease is over. */
function createRequestBody(body: string | undefined, deadline: number) {
  if (body === undefined) return {};
  const bytes = new TextEncoder().encode(body);
  const given = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (performance.now() > deadline) throw new DeadlinePassed();
        controller.enqueue(bytes);
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { headers: { 'content-length': String(bytes.length) }, body: given, duplex: 'half' as const };
}

class DeadlinePassed extends Error {}

const authStatuses = [401, 407];
/** Quota and rate limits pass by themselves. Every other 4xx is about the one request. */
const temporaryStatuses = [402, 408, 425, 429];

/** Only a credential error stops the receiver: a firewall may answer anything else because of one message's text. */
export function classifyResponse(
  response: HttpResponse,
  isSuccess: (response: HttpResponse) => boolean,
): Outcome {
  const { status, retryAfterMs } = response;
  if (isSuccess(response)) return { kind: 'delivered' };
  if (authStatuses.includes(status)) return { kind: 'misconfigured', failure: { code: 'answered', status } };
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (status < 300) return { ...retryLater({ code: 'answered-no-success', status }, true), ...wait };
  if (status < 400) return retryLater({ code: 'answered-redirect', status }, false);
  if (status < 500 && !temporaryStatuses.includes(status))
    return retryLater({ code: 'answered-refusal', status }, false);
  // A gateway says 5xx, 503 with Retry-After included, for a service that may have finished its work.
  return { ...retryLater({ code: 'answered', status }, status >= 500), ...wait };
}

async function readBody(
  response: Response,
): Promise<{ text: string; isTruncated: boolean; error?: unknown }> {
  const decoder = new TextDecoder();
  let text = '';
  let remaining = maxBodyBytes;
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk.subarray(0, remaining), { stream: true });
      remaining -= chunk.byteLength;
      if (remaining < 0) break;
    }
  } catch (error) {
    return { text, isTruncated: true, error };
  }
  return { text, isTruncated: remaining < 0 };
}

/** Seconds or a date, limited: clock skew must not defer a message for a year. */
function readRetryAfter(value: string | null): number | undefined {
  if (!value) return undefined;
  const ms = /^\s*-?\d+\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.round(Math.min(Math.max(ms, 0), maxRetryAfterMs));
}

const failedHandshake =
  /^ERR_SSL_.*(WRONG_VERSION|HANDSHAKE|PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|UNRECOGNIZED_NAME)/;

const connectionErrors = new Map<string, Failure>([
  ['ECONNRESET', { code: 'connection-reset' }],
  ['EPIPE', { code: 'connection-reset' }],
  ['UND_ERR_SOCKET', { code: 'answer-incomplete' }],
  ['UND_ERR_HEADERS_OVERFLOW', { code: 'answer-headers' }],
]);

/** Only codes: an error's message may contain the whole address with its credential. */
function classifyFetchError(error: unknown): RetryableFailure {
  const cause = rootCause(error);
  if (cause instanceof DeadlinePassed) return retryLater({ code: 'deadline-passed' }, false);
  const code = typeof cause.code === 'string' ? cause.code : '';
  const known = explainConnectError(code);
  if (known) return retryLater(known.failure, false);
  if (failedHandshake.test(code)) return retryLater({ code: 'tls-failed' }, false);
  if (code === 'ECONNRESET' && cause.message.includes('before secure TLS connection')) {
    return retryLater({ code: 'tls-failed' }, false);
  }
  if (cause.syscall === 'connect') return retryLater({ code: 'not-connected', cause: code }, false);
  // fetch refuses some ports, and says so in its message only.
  if (cause.message === 'bad port') return retryLater({ code: 'forbidden-port' }, false);
  if (cause.name === 'HTTPParserError') return retryLater({ code: 'answer-not-http' }, true);
  return retryLater(
    connectionErrors.get(code) ?? { code: 'call-failed', ...(code && { cause: code }) },
    true,
  );
}

function rootCause(error: unknown): NodeJS.ErrnoException {
  if (!(error instanceof Error)) return new Error('unknown');
  if (error instanceof AggregateError && error.errors.length > 0) return rootCause(error.errors[0]);
  return error.cause instanceof Error ? rootCause(error.cause) : error;
}
