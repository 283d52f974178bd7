import type { Clock } from '../../lib/clock.ts';
import { parseHostName } from '../../lib/host-name.ts';
import type { Ids } from '../../lib/ids.ts';
import type { Messages } from '../../store/messages.ts';
import { repeatedWords } from './repeated-words.ts';
import { type Sending, type Signal, scoreMessage, threshold } from './score-message.ts';

export type ReceivedFields = { name: string; email: string; message: string; service: string };

export type ReceiveDeps = {
  messages: Pick<Messages, 'add'>;
  clock: Clock;
  ids: Pick<Ids, 'reference'>;
  /** Everyone a message is passed to. */
  receivers: readonly string[];
  /** Whether more was stored of late than people send. */
  isFlood(): Promise<boolean>;
  repeats: Repeats;
  /** A keyed hash. The key itself is not stored: it may name a person whose erasure does not find this message. */
  hashKey(key: string): string;
  /** Told that there is something to deliver. */
  nudge(): void;
};

/** How often the same words were stored of late, by whomever they were sent. */
export type Repeats = {
  /** Undefined where nobody can tell. */
  count(words: string): Promise<number | undefined>;
  /** Told that they were stored once more. */
  note(words: string): void;
};

/** How a message came, beside what it says. */
export type SentHow = Pick<Sending, 'trap' | 'openMs'>;

export type ReceiveResult =
  | { kind: 'received'; reference: string; as: 'new' | 'empty' | 'repeated' }
  | { kind: 'received'; reference: string; as: 'quarantined'; reasons: readonly Signal[] }
  | { kind: 'refused'; field: keyof ReceivedFields; reason: string }
  | { kind: 'conflict' };

/**
 * Stores a visitor's message exactly as it was sent, with what is to be delivered of it. The result follows the commit.
 * The same key with the same words is the same message; with other words it is a conflict. What looks like spam is
 * stored like any other, and put aside.
 */
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
  /** Why it is put aside, if it is. */
  reasons: Signal[];
  /** What is counted once it is stored. */
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

/** A form posted natively ends its lines in another way than a script does. */
function isSame(one: ReceivedFields, other: ReceivedFields): boolean {
  const words = (fields: ReceivedFields) => fieldNames.map(name => fields[name].replaceAll('\r\n', '\n'));
  return JSON.stringify(words(one)) === JSON.stringify(words(other));
}

/** NUL and lone surrogates cannot be stored as they were sent by every database. */
function findUnreadable(fields: ReceivedFields): keyof ReceivedFields | undefined {
  return fieldNames.find(name => fields[name].includes('\0') || !fields[name].isWellFormed());
}

/** Something before one @, and a plain host name behind it. Delivery is the only real test. */
function isPlausibleEmail(email: string): boolean {
  if (email.length > 254 || /[\s<>,;:"()[\]\\\p{Cc}]/u.test(email)) return false;
  const at = email.indexOf('@');
  return at > 0 && parseHostName(email.slice(at + 1)) !== undefined;
}
