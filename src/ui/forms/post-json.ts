import type { Problem } from '../../lib/problem.ts';

type JsonResponse<Body> = {
  status: number;
  json: Partial<Body & Problem> | undefined;
  retryAfterMinutes: number | undefined;
};

export async function postJson<Body>(
  path: string,
  body: object,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<JsonResponse<Body> | undefined> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      // Following a redirect with GET would give 200 with nothing stored.
      redirect: 'manual',
      signal,
    });
    const json = await response.json().catch(() => undefined);
    // From a proxy that got no response of the server, which sends JSON: the message may be stored, as after a lost connection.
    if (response.status > 501 && !json) return undefined;
    return {
      status: response.status,
      json,
      retryAfterMinutes: readRetryAfter(response.headers.get('retry-after')),
    };
  } catch {
    return undefined;
  }
}

const maxWaitMinutes = 60;

/** Retry-After in whole minutes. A date, which some proxies send, or more than an hour counts as unknown. */
function readRetryAfter(header: string | null): number | undefined {
  if (!header || !/^\d+$/.test(header)) return undefined;
  const minutes = Math.ceil(Number(header) / 60);
  return minutes <= maxWaitMinutes ? minutes || undefined : undefined;
}

/** To a service that adds rows to a sheet, from a site on a static host. */
export async function postRecord(
  endpoint: string,
  record: Record<string, string>,
  signal: AbortSignal,
): Promise<'sent' | 'refused' | 'offline'> {
  const response = await postJson(endpoint, record, {}, signal);
  if (!response) return 'offline';
  return response.status === 200 ? 'sent' : 'refused';
}
