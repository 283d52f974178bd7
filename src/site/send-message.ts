import {
  type ContactAnswer,
  contactPath,
  idempotencyHeader,
  type MessageInput,
  messageFields,
  type Problem,
  tokenHeader,
  trapField,
} from '../api/contract.ts';

export type SendResult = { kind: 'sent'; reference: string } | Refusal | { kind: 'offline' };

export type Refusal = {
  kind: 'refused';
  /** What our own server answered; another's answer says nothing to a visitor. */
  status?: number;
  field?: keyof MessageInput;
  waitMinutes?: number;
};

export type OutgoingMessage = {
  fields: Partial<MessageInput>;
  key: string;
  /** What stands in the field that no visitor sees. */
  trap: string;
  /** Since when the form stands open, where the server has said so. */
  token: string | undefined;
};

/** Exactly 200 is success, any other status is a refusal, and no answer at all is being offline. */
export async function sendMessage(
  { fields, key, trap, token }: OutgoingMessage,
  signal: AbortSignal,
): Promise<SendResult> {
  let response: Response;
  try {
    response = await fetch(contactPath, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        [idempotencyHeader]: key,
        ...(token ? { [tokenHeader]: token } : {}),
      },
      body: JSON.stringify(trap ? { ...fields, [trapField]: trap } : fields),
      // The page that a redirect leads to would answer 200, and nothing would have been stored.
      redirect: 'manual',
      signal,
    });
  } catch {
    return { kind: 'offline' };
  }
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.status === 200)
    return { kind: 'sent', reference: (answer as ContactAnswer | undefined)?.reference ?? '' };
  const field = messageFields.find(name => name === (answer as Partial<Problem> | undefined)?.field);
  const waitMinutes = readWait(response.headers.get('retry-after'));
  return {
    kind: 'refused',
    status: response.status,
    ...(field ? { field } : {}),
    ...(waitMinutes ? { waitMinutes } : {}),
  };
}

const longestWaitMinutes = 60;

/** Retry-After in whole minutes. A date, which some proxies send, or a time that nobody waits counts as unknown. */
export function readWait(header: string | null): number | undefined {
  if (!header || !/^\d+$/.test(header)) return undefined;
  const minutes = Math.ceil(Number(header) / 60);
  return minutes <= longestWaitMinutes ? minutes || undefined : undefined;
}

/** Names one composed message, so that sending it again is not sending it twice. */
export function createKey(): string {
  // Browsers have it on https only.
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}
