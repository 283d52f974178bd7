import { type ContactAnswer, contactPath, messageFields, type Problem } from '../api/contract.ts';

export type SendResult =
  | { kind: 'sent'; reference: string }
  | { kind: 'refused'; field?: string }
  | { kind: 'offline' };

/** Exactly 200 is success, any other status is a refusal, and no answer at all is being offline. */
export async function sendMessage(form: FormData): Promise<SendResult> {
  const body = Object.fromEntries(
    messageFields.filter(name => form.has(name)).map(name => [name, form.get(name)]),
  );
  let response: Response;
  try {
    response = await fetch(contactPath, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    });
  } catch {
    return { kind: 'offline' };
  }
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.status === 200)
    return { kind: 'sent', reference: (answer as ContactAnswer | undefined)?.reference ?? '' };
  const { field } = (answer ?? {}) as Partial<Problem>;
  return { kind: 'refused', ...(field ? { field } : {}) };
}
