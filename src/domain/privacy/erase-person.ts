import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../lib/clock.ts';
import type { Settled } from '../../store/orphaned-data.ts';
import type { Lease, Privacy } from '../../store/privacy.ts';
import type { Subscribers } from '../../store/subscribers.ts';
import type { AuditRow } from '../../store/tables.ts';
import { eraseById } from '../newsletter/erase-subscriber.ts';
import type { ExternalCopies, ExternalCopyCounts } from './external-copies.ts';
import { type FindDeps, type Findings, type Found, findPerson, isNothing, isReader } from './find-person.ts';
import type { Trace } from './search-personal-data.ts';

export type EraseDeps = Omit<FindDeps, 'copies'> & {
  copies: Pick<ExternalCopies, 'find' | 'erase'>;
  subscribers: Pick<Subscribers, 'inErasingTransaction'>;
  ledger: { append(rows: readonly AuditRow[]): Promise<void> };
  clock: Clock;
};

export type Erased = {
  at: string;
  counts: Counts;
  /** Deliveries in progress that did not end: they may still arrive. */
  underWay: Lease[];
  settled: Settled;
  /** Includes messages that arrived after the erasure began. */
  left: Findings;
  isDone: boolean;
};

export type Counts = ExternalCopyCounts & { messages: number; mentions: number; newsletter: number };

/** Each round catches what arrived or was being written meanwhile. */
const rounds = 3;

/** The ledger, which no backup restores, comes first; rows go before files, so that no copy is written of a removed row. */
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
      counts.newsletter += Number(await eraseById(deps.subscribers, found.subscriber, at));
    }
    const files = await deps.copies.erase({ ...trace, references: gone, upTo: at });
    for (const name of ['rows', 'redacted', 'mails', 'remains'] as const) counts[name] += files[name];
    left = await findPerson(deps, trace, [...gone]);
  }
  // Also where nothing was found: an earlier run may have been interrupted before it.
  const settled = await privacy.settle({ address: trace.key, references: gone });
  const isEmpty = settled.kind !== 'sqlite' || settled.isEmpty;
  const strays = left.copies.some(({ kind }) => kind === 'file');
  const isDone = isEmpty && !strays && underWay.length === 0 && isNothing(upTo(left, at));
  return { at, counts, underWay, settled, left, isDone };
}

function upTo(found: Findings, at: string): Findings {
  const isLater = ({ receivedAt }: Found) => receivedAt > at;
  const later = new Set(found.messages.filter(isLater).map(({ reference }) => reference));
  return {
    ...found,
    messages: found.messages.filter(one => !isLater(one)),
    mentions: found.mentions.filter(one => !isLater(one)),
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
  const notices = await Array.fromAsync(privacy.eachNotice(), page =>
    page
      .map(({ reference, payload }) => ({ reference, payload: payload ?? '' }))
      .filter(({ payload }) => mentions(payload))
      .map(({ reference, payload }) => ({ reference, payload: redact(payload) })),
  );
  await privacy.eraseMessages({
    references,
    redacted: mentioning.map(({ reference, name, email, message, service }) => ({
      reference,
      name: redact(name),
      email: redact(email),
      message: redact(message),
      service: redact(service),
    })),
    notices: notices.flat(),
    audit,
  });
}

/** Contains no personal data: hashes, numbers, a time. */
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

const [lookMs, patienceMs] = [100, 15_000];

/** A worker that delivers at this moment has read the words already. Returns leases that did not end in time. */
export async function awaitDeliveries(
  { privacy, clock }: { privacy: Pick<Privacy, 'listLeases'>; clock: Clock },
  references: readonly string[],
  subscriber?: string,
): Promise<Lease[]> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const leases = await privacy.listLeases(references, subscriber, clock.now().toISOString());
    if (leases.length === 0 || performance.now() > until) return leases;
    await wait(lookMs);
  }
}
