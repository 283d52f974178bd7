import type { Clock } from '../../lib/clock.ts';
import { parseHostName } from '../../lib/host-name.ts';
import type { Ids } from '../../lib/ids.ts';
import type { Messages } from '../../store/messages.ts';
import { repeatedWords } from './repeated-words.ts';
import { type ReceivedFields, type Sending, type Signal, scoreMessage, threshold } from './score-message.ts';

export type ReceiveDeps = {
  messages: Pick<Messages, 'add'>;
  clock: Clock;
  ids: Pick<Ids, 'reference'>;
  receivers: readonly string[];
  isFlood(): Promise<boolean>;
  repeats: Repeats;
  /** Only a keyed hash is stored: the key may name a person whose erasure does not find this message. */
  hashKey(key: string): string;
  nudge(): void;
};

export type Repeats = {
  /** Undefined when counting failed. */
  count(words: string): Promise<number | undefined>;
  note(words: string): void;
};

export type SentHow = Pick<Sending, 'trap' | 'openMs'>;

export type ReceiveResult =
  | { kind: 'received'; reference: string; as: 'new' | 'empty' | 'repeated' }
  | { kind: 'received'; reference: string; as: 'quarantined'; reasons: readonly Signal[] }
  | { kind: 'refused'; field: keyof ReceivedFields; reason: string }
  | { kind: 'conflict' };

/** The result follows the commit. The same key with the same words is the same message, with other words a conflict. */
export async function receiveMessage(
  deps: ReceiveDeps,
  fields: ReceivedFields,
  how: SentHow,
  key: string | undefined,
): Promise<ReceiveResult> {
  const unreadable = findUnreadable(fields);
  if (unreadable) return { kind: 'refused', field: unreadable, reason: 'holds characters that are not text' };
  if (fields.email.trim() && !isPlausibleEmail(fields.email.trim())) {
    return { kind: 'refused', field: 'email', reason: 'is not an e-mail address' };
  }
  const { state, reasons, words } = await judge(deps, fields, how);
  const reference = deps.ids.reference();
  const stored = await deps.messages.add({
    ...fields,
    reference,
    received_at: deps.clock.now().toISOString(),
    state,
    idempotency_key: key === undefined ? null : deps.hashKey(key),
    quarantine_reason: reasons.join(', '),
    receivers: state === 'new' ? deps.receivers : [],
  });
  if (stored.reference !== reference) {
    if (!isSame(stored, fields)) return { kind: 'conflict' };
    return { kind: 'received', reference: stored.reference, as: 'repeated' };
  }
  if (words) deps.repeats.note(words);
  deps.nudge();
  if (state === 'quarantined') return { kind: 'received', reference, as: state, reasons };
  return { kind: 'received', reference, as: state };
}

type Judgement = {
  state: 'new' | 'empty' | 'quarantined';
  reasons: Signal[];
  words?: string | undefined;
};

async function judge(deps: ReceiveDeps, fields: ReceivedFields, how: SentHow): Promise<Judgement> {
  if (fieldNames.every(name => fields[name].trim() === '')) return { state: 'empty', reasons: [] };
  const words = repeatedWords(fields.message);
  const [isFlood, repeats] = await Promise.all([deps.isFlood(), words ? deps.repeats.count(words) : 0]);
  const { score, reasons } = scoreMessage(fields, { ...how, repeats, isFlood });
  return score < threshold ? { state: 'new', reasons: [], words } : { state: 'quarantined', reasons, words };
}

const fieldNames = ['name', 'email', 'message', 'service'] as const;

/** A native form post has other line endings than a script. */
function isSame(one: ReceivedFields, other: ReceivedFields): boolean {
  const words = (fields: ReceivedFields) => fieldNames.map(name => fields[name].replaceAll('\r\n', '\n'));
  return JSON.stringify(words(one)) === JSON.stringify(words(other));
}

/** Not every database can store NUL and lone surrogates. */
function findUnreadable(fields: ReceivedFields): keyof ReceivedFields | undefined {
  return fieldNames.find(name => fields[name].includes('\0') || !fields[name].isWellFormed());
}

/** Deliberately lenient: delivery is the only real test. */
function isPlausibleEmail(email: string): boolean {
  if (email.length > 254 || /[\s<>,;:"()[\]\\\p{Cc}]/u.test(email)) return false;
  const at = email.indexOf('@');
  return at > 0 && parseHostName(email.slice(at + 1)) !== undefined;
}
