import type { Clock } from '../../lib/clock.ts';
import type { Lease, Settled } from '../../store/privacy.ts';
import type { Subscribers } from '../../store/subscribers.ts';
import type { AuditRow } from '../../store/tables.ts';
import { awaitDeliveries } from './await-deliveries.ts';
import type { Copies, CopyCounts } from './copies.ts';
import { type FindDeps, type Findings, findPerson, isNothing, isReader } from './find-person.ts';
import type { Trace } from './trace.ts';

export type EraseDeps = Omit<FindDeps, 'copies'> & {
  copies: Pick<Copies, 'find' | 'erase'>;
  subscribers: Pick<Subscribers, 'erase'>;
  ledger: { append(rows: readonly AuditRow[]): Promise<void> };
  clock: Clock;
};

export type Erased = {
  at: string;
  counts: Counts;
  /** Deliveries that were under way and did not come to an end: they may arrive yet. */
  underWay: Lease[];
  settled: Settled;
  /** What is there still. Messages that arrived after it was begun are among it. */
  left: Findings;
  isDone: boolean;
};

export type Counts = CopyCounts & { messages: number; mentions: number; newsletter: number };

/** Looked at again after each, for what arrived or was being written meanwhile. */
const rounds = 3;

/**
 * Removes everything about an address that this machine and its database hold, up to now. It is written down first what is
 * done, in a file that no backup brings back; rows go before files, so that nobody writes a copy of what is gone. Whoever
 * has just looked may say what was found.
 */
export async function erasePerson(
  deps: EraseDeps,
  trace: Trace,
  { also = [], found: shown }: { also?: readonly string[]; found?: Findings } = {},
): Promise<Erased> {
  const { privacy, clock } = deps;
  const at = clock.now().toISOString();
  const counts: Counts = {
    messages: 0,
    mentions: 0,
    newsletter: 0,
    rows: 0,
    redacted: 0,
    mails: 0,
    remains: 0,
  };
  const underWay: Lease[] = [];
  const gone = new Set(also);
  let audit: AuditRow[] | undefined;
  let left = shown ?? (await findPerson(deps, trace, also));
  for (let round = 0; round < rounds && !isNothing(upTo(left, at)); round++) {
    const found = upTo(left, at);
    for (const { reference } of found.messages) gone.add(reference);
    if (!audit) {
      audit = writeAudit(deps, trace, also, found, at);
      await deps.ledger.append(audit);
    }
    counts.messages += found.messages.length;
    counts.mentions += found.mentions.length;
    await removeRows(deps, trace, found, [...gone], audit);
    underWay.push(...(await awaitDeliveries(deps, [...gone], found.subscriber)));
    await privacy.forgetDeliveries([...gone]);
    if (found.subscriber && isReader(found.newsletter)) {
      counts.newsletter += Number(await deps.subscribers.erase(found.subscriber, at));
    }
    const files = await deps.copies.erase({ ...trace, references: gone, upTo: at });
    for (const name of ['rows', 'redacted', 'mails', 'remains'] as const) counts[name] += files[name];
    left = await findPerson(deps, trace, [...gone]);
  }
  // Also where nothing was found: an earlier run may have been cut off just before it.
  const settled = await privacy.settle({ address: trace.key, references: gone });
  const isEmpty = settled.kind !== 'sqlite' || settled.isEmpty;
  const strays = left.copies.some(({ kind }) => kind === 'file');
  const isDone = isEmpty && !strays && underWay.length === 0 && isNothing(upTo(left, at));
  return { at, counts, underWay, settled, left, isDone };
}

/** Without what came after the erasure was asked for. */
function upTo(found: Findings, at: string): Findings {
  const messages = found.messages.filter(({ receivedAt }) => receivedAt <= at);
  const later = new Set(
    found.messages.filter(({ receivedAt }) => receivedAt > at).map(({ reference }) => reference),
  );
  return {
    ...found,
    messages,
    mentions: found.mentions.filter(({ receivedAt }) => receivedAt <= at),
    deliveries: found.deliveries.filter(({ reference }) => !later.has(reference)),
    copies: found.copies.filter(copy => !later.has(copy.reference) && !(copy.at > at)),
  };
}

async function removeRows(
  { privacy }: EraseDeps,
  trace: Trace,
  found: Findings,
  references: readonly string[],
  audit: readonly AuditRow[],
): Promise<void> {
  const { mentions, redact } = trace;
  const mentioning = await privacy.listMessages(found.mentions.map(({ reference }) => reference));
  const notices: { reference: string; payload: string }[] = [];
  for await (const page of privacy.eachNotice()) {
    for (const { reference, payload } of page) {
      if (payload && mentions(payload)) notices.push({ reference, payload: redact(payload) });
    }
  }
  await privacy.eraseMessages({
    references,
    redacted: mentioning.map(({ reference, name, email, message, service }) => ({
      reference,
      name: redact(name),
      email: redact(email),
      message: redact(message),
      service: redact(service),
    })),
    notices,
    audit,
  });
}

/** Nothing in it is personal: hashes, numbers, a time. */
function writeAudit(
  { audit }: EraseDeps,
  { address }: Trace,
  also: readonly string[],
  { messages, mentions, newsletter, copies }: Findings,
  at: string,
): AuditRow[] {
  const count = (wanted: string) => copies.filter(({ kind }) => kind === wanted).length;
  const counts = {
    messages: messages.length,
    mentions: mentions.length,
    newsletter: Number(isReader(newsletter)),
    rows: count('row'),
    mails: count('mail'),
  };
  return [
    { hash: audit.ofAddress(address), action: 'erase', done_at: at, counts: JSON.stringify(counts) },
    ...also.map(reference => ({
      hash: audit.ofMessage(reference),
      action: 'erase-message' as const,
      done_at: at,
      counts: '{}',
    })),
  ];
}
