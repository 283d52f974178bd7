import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/ids.ts';
import type { Messages } from '../../store/messages.ts';

export type ReceivedFields = { name: string; email: string; message: string; service: string };

export type ReceiveDeps = { messages: Pick<Messages, 'add'>; clock: Clock; ids: Pick<Ids, 'reference'> };

export type ReceiveResult =
  | { kind: 'received'; reference: string }
  | { kind: 'refused'; field: keyof ReceivedFields; reason: string };

/** Stores a visitor's message exactly as it was sent. The result follows the commit. */
export async function receiveMessage(deps: ReceiveDeps, fields: ReceivedFields): Promise<ReceiveResult> {
  const unreadable = findUnreadable(fields);
  if (unreadable) return { kind: 'refused', field: unreadable, reason: 'holds characters that are not text' };
  if (fields.email.trim() && !isPlausibleEmail(fields.email.trim())) {
    return { kind: 'refused', field: 'email', reason: 'is not an e-mail address' };
  }
  const reference = deps.ids.reference();
  const isEmpty = Object.values(fields).every(value => value.trim() === '');
  await deps.messages.add({
    ...fields,
    reference,
    received_at: deps.clock.now().toISOString(),
    state: isEmpty ? 'empty' : 'new',
  });
  return { kind: 'received', reference };
}

/** NUL and lone surrogates cannot be stored as they were sent by every database. */
function findUnreadable(fields: ReceivedFields): keyof ReceivedFields | undefined {
  const names = Object.keys(fields) as (keyof ReceivedFields)[];
  return names.find(name => fields[name].includes('\0') || !fields[name].isWellFormed());
}

/** One pass, no backtracking: something, one @, a host with no space. Delivery is the only real test. */
function isPlausibleEmail(email: string): boolean {
  if (email.length > 254 || /[\s<>,;:"()[\]\\\p{Cc}]/u.test(email)) return false;
  const at = email.indexOf('@');
  const host = email.slice(at + 1);
  return at > 0 && host.length > 0 && !host.includes('@') && !host.startsWith('.') && !host.endsWith('.');
}
