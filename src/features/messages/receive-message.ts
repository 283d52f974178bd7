import type { Clock } from '../../core/clock.ts';
import type { Ids } from '../../core/ids.ts';
import { isPlausibleAddress, parseDeliverableAddress } from '../../lib/email-address.ts';
import {
  hasSameFields,
  isEmptyMessage,
  type MessageFieldName,
  type MessageFields,
  messageFieldNames,
} from './message-fields.ts';
import type { Messages } from './messages.ts';
import { isForVisitor } from './receivers/receivers.ts';
import {
  normalizeForRepeats,
  quarantineThreshold,
  type SpamSignal,
  type SubmissionSignals,
  scoreMessage,
} from './score-message.ts';

export type ReceiveDeps = {
  messages: Pick<Messages, 'add'>;
  clock: Clock;
  ids: Pick<Ids, 'reference'>;
  /** Of all that a message is delivered to. */
  receiverNames: readonly string[];
  isFlood(): Promise<boolean>;
  repeats: RepeatCounter;
  /** Only a keyed hash is stored: an idempotency key may contain personal data. */
  hashKey(key: string): string;
  wake(): void;
};

export type RepeatCounter = {
  count(normalizedText: string): Promise<number | undefined>;
  add(normalizedText: string): void;
};

export type FormSignals = Pick<SubmissionSignals, 'honeypot' | 'formAgeMs'>;

export type ReceiveResult =
  | { kind: 'received'; reference: string; status: 'new' | 'empty' | 'duplicate' }
  | { kind: 'received'; reference: string; status: 'quarantined'; reasons: readonly SpamSignal[] }
  | { kind: 'invalid'; field: MessageFieldName; reason: string }
  | { kind: 'conflict' };

/** Returns after the commit. Idempotency: the same key with the same fields is one message, with other fields a conflict. */
export async function receiveMessage(
  deps: ReceiveDeps,
  { auditReport, ...fields }: MessageFields & { auditReport?: string | undefined },
  signals: FormSignals,
  key: string | undefined,
): Promise<ReceiveResult> {
  const unreadable = findUnstorable(fields);
  if (unreadable)
    return { kind: 'invalid', field: unreadable, reason: 'contains characters that are not text' };
  if (fields.email.trim() && !isPlausibleAddress(fields.email.trim())) {
    return { kind: 'invalid', field: 'email', reason: 'is not an email address' };
  }
  const { state, reasons, normalizedText } = await assess(deps, fields, signals);
  const reference = deps.ids.reference();
  const stored = await deps.messages.add({
    ...fields,
    reference,
    received_at: deps.clock.now().toISOString(),
    state,
    idempotency_key: key === undefined ? null : deps.hashKey(key),
    quarantine_reason: reasons.join(', '),
    answered_at: null,
    closed_at: null,
    audit_report: auditReport ?? null,
    receivers: state === 'new' ? listReceivers(deps, fields) : [],
  });
  if (stored.reference !== reference) {
    if (!hasSameFields(stored, fields)) return { kind: 'conflict' };
    return { kind: 'received', reference: stored.reference, status: 'duplicate' };
  }
  if (normalizedText) deps.repeats.add(normalizedText);
  deps.wake();
  if (state === 'quarantined') return { kind: 'received', reference, status: state, reasons };
  return { kind: 'received', reference, status: state };
}

function listReceivers({ receiverNames }: ReceiveDeps, { email }: MessageFields): readonly string[] {
  return parseDeliverableAddress(email) ? receiverNames : receiverNames.filter(name => !isForVisitor(name));
}

type Assessment = {
  state: 'new' | 'empty' | 'quarantined';
  reasons: SpamSignal[];
  normalizedText?: string | undefined;
};

async function assess(deps: ReceiveDeps, fields: MessageFields, signals: FormSignals): Promise<Assessment> {
  if (isEmptyMessage(fields)) return { state: 'empty', reasons: [] };
  const normalizedText = normalizeForRepeats(fields.message);
  const [isFlood, repeats] = await Promise.all([
    deps.isFlood(),
    normalizedText ? deps.repeats.count(normalizedText) : 0,
  ]);
  const { score, reasons } = scoreMessage(fields, { ...signals, repeats, isFlood });
  return score < quarantineThreshold
    ? { state: 'new', reasons: [], normalizedText }
    : { state: 'quarantined', reasons, normalizedText };
}

/** Not every database can store NUL and lone surrogates. */
function findUnstorable(fields: MessageFields): MessageFieldName | undefined {
  return messageFieldNames.find(name => fields[name].includes('\0') || !fields[name].isWellFormed());
}
