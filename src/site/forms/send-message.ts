import {
  type ContactResponse,
  contactPath,
  honeypotField,
  idempotencyHeader,
  type MessageInput,
  messageFields,
  type Problem,
  tokenHeader,
} from '../../api/contract.ts';

export type SendResult = { kind: 'sent'; reference: string } | Refusal | { kind: 'offline' };

export type Refusal = {
  kind: 'refused';
  /** Of our own server; a sheet service's status says nothing to a visitor. */
  status?: number;
  field?: keyof MessageInput;
  waitMinutes?: number;
};

export type OutgoingMessage = {
  fields: Partial<MessageInput>;
  key: string;
  trap: string;
  token: string | undefined;
};

/** Exactly 200 is success, any other status is a refusal, and no answer at all is being offline. */
export async function sendMessage(
  { fields, key, trap, token }: OutgoingMessage,
  signal: AbortSignal,
): Promise<SendResult> {
  const body = trap ? { ...fields, [honeypotField]: trap } : fields;
  const headers = { [idempotencyHeader]: key, ...(token ? { [tokenHeader]: token } : {}) };
  const posted = await postJson<ContactResponse>(contactPath, body, headers, signal);
  if (!posted) return { kind: 'offline' };
  const { status, answer, waitMinutes } = posted;
  if (status === 200) return { kind: 'sent', reference: answer?.reference ?? '' };
  const field = messageFields.find(name => name === answer?.field);
  return {
    kind: 'refused',
    status,
    ...(field ? { field } : {}),
    ...(waitMinutes ? { waitMinutes } : {}),
  };
}

type Posted<Answer> = {
  status: number;
  answer: Partial<Answer & Problem> | undefined;
  waitMinutes: number | undefined;
};

/** Nothing where there is no answer at all. */
export async function postJson<Answer>(
  path: string,
  body: object,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Posted<Answer> | undefined> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify(body),
      // The page that a redirect leads to would answer 200, and nothing would have been stored.
      redirect: 'manual',
      signal,
    });
    const answer = await response.json().catch(() => undefined);
    return { status: response.status, answer, waitMinutes: readWait(response.headers.get('retry-after')) };
  } catch {
    return undefined;
  }
}

const longestWaitMinutes = 60;

/** Retry-After in whole minutes. A date, which some proxies send, or more than an hour counts as unknown. */
function readWait(header: string | null): number | undefined {
  if (!header || !/^\d+$/.test(header)) return undefined;
  const minutes = Math.ceil(Number(header) / 60);
  return minutes <= longestWaitMinutes ? minutes || undefined : undefined;
}

export function createIdempotencyKey(): string {
  // Browsers have it on https only.
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}
