import {
  type ContactResponse,
  contactPath,
  honeypotField,
  idempotencyHeader,
  type Problem,
  tokenHeader,
} from '../../core/contract.ts';
import {
  type MessageFieldName,
  type MessageFields,
  messageFieldNames,
} from '../../features/messages/message-fields.ts';

export type SendResult =
  | { kind: 'sent'; reference: string; isEmpty?: boolean }
  | MessageRefusal
  | { kind: 'offline' };

export type MessageRefusal = {
  kind: 'refused';
  status?: number;
  field?: MessageFieldName;
  retryAfterMinutes?: number;
};

export type OutgoingMessage = {
  fields: Partial<MessageFields>;
  key: string;
  honeypot: string;
  token: string | undefined;
};

export async function sendMessage(
  { fields, key, honeypot, token }: OutgoingMessage,
  signal: AbortSignal,
): Promise<SendResult> {
  const body = honeypot ? { ...fields, [honeypotField]: honeypot } : fields;
  const headers = { [idempotencyHeader]: key, ...(token ? { [tokenHeader]: token } : {}) };
  const response = await postJson<ContactResponse>(contactPath, body, headers, signal);
  if (!response) return { kind: 'offline' };
  const { status, json, retryAfterMinutes } = response;
  if (status === 200) return { kind: 'sent', reference: json?.reference ?? '' };
  const field = messageFieldNames.find(name => name === json?.field);
  return {
    kind: 'refused',
    status,
    ...(field ? { field } : {}),
    ...(retryAfterMinutes ? { retryAfterMinutes } : {}),
  };
}

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

export function createIdempotencyKey(): string {
  // Browsers have randomUUID on https only.
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}
