import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../core/clock.ts';
import type { StorageCleanup } from '../../core/database/storage-cleanup.ts';
import type { AuditRow } from '../../core/database/tables.ts';
import { mapMessageFields } from '../messages/message-fields.ts';
import type { Messages } from '../messages/messages.ts';
import { eraseSubscriberById } from '../newsletter/erase-subscriber-rows.ts';
import type { Subscribers } from '../newsletter/subscribers.ts';
import type { AddressMatcher } from './address-matcher.ts';
import type { AuditHasher } from './audit-hasher.ts';
import type { LocalCopies, LocalCopyCounts } from './local-copies.ts';
import type { Lease, Privacy } from './privacy.ts';
import {
  type FoundMessage,
  hasSubscriberData,
  isNothingFound,
  type PersonalData,
  type SearchDeps,
  searchPersonalData,
} from './search-personal-data.ts';

export type EraseDeps = Omit<SearchDeps, 'copies'> & {
  copies: Pick<LocalCopies, 'find' | 'erase'>;
  subscribers: Pick<Subscribers, 'inErasingTransaction'>;
  ledger: { append(rows: readonly AuditRow[]): Promise<void> };
  clock: Clock;
};

export type Erased = {
  at: string;
  counts: ErasureCounts;
  activeLeases: Lease[];
  cleanup: StorageCleanup;
  remaining: PersonalData;
  isDone: boolean;
};

export type ErasureCounts = LocalCopyCounts &
  Record<'messages' | 'mentions' | 'newsletter' | 'reports', number>;

/** Each round finds data that was written during the one before. */
const maxRounds = 3;

/** The ledger comes first, because no backup restores it; rows go before files, so that no copy of a removed row is written. */
export async function erasePerson(
  deps: EraseDeps,
  matcher: AddressMatcher,
  {
    extraReferences = [],
    found: alreadyFound,
  }: { extraReferences?: readonly string[]; found?: PersonalData } = {},
): Promise<Erased> {
  const { privacy, clock } = deps;
  const at = clock.now().toISOString();
  const counts: ErasureCounts = {
    messages: 0,
    mentions: 0,
    newsletter: 0,
    reports: 0,
    rows: 0,
    redacted: 0,
    mails: 0,
    temporaryFiles: 0,
  };
  const activeLeases: Lease[] = [];
  const erased = new Set(extraReferences);
  let auditRows: AuditRow[] | undefined;
  let remaining = alreadyFound ?? (await searchPersonalData(deps, matcher, extraReferences));
  for (let round = 0; round < maxRounds && !isNothingFound(onlyReceivedBefore(remaining, at)); round++) {
    const found = onlyReceivedBefore(remaining, at);
    for (const { reference } of found.messages) erased.add(reference);
    if (!auditRows) {
      auditRows = buildAuditRows(deps, matcher, extraReferences, found, at);
      await deps.ledger.append(auditRows);
    }
    counts.messages += found.messages.length;
    counts.mentions += found.mentions.length;
    counts.reports += found.reports.length;
    await privacy.deleteReports(found.reports.map(({ id }) => id));
    await removeRows(deps, matcher, found, [...erased], auditRows);
    const mentioning = found.mentions.map(({ reference }) => reference);
    activeLeases.push(...(await waitForDeliveries(deps, [...erased, ...mentioning], found.subscriber)));
    await privacy.deleteDeliveries([...erased]);
    if (found.subscriber && hasSubscriberData(found.newsletter)) {
      counts.newsletter += Number(await eraseSubscriberById(deps.subscribers, found.subscriber, at));
    }
    const files = await deps.copies.erase({ ...matcher, references: erased, upTo: at });
    for (const name of ['rows', 'redacted', 'mails', 'temporaryFiles'] as const) counts[name] += files[name];
    remaining = await searchPersonalData(deps, matcher, [...erased]);
  }
  // Also if nothing was found: an earlier run may have been interrupted before this step.
  const cleanup = await privacy.cleanUpStorage({ address: matcher.foldedAddress, references: erased });
  const isEmpty = cleanup.kind !== 'sqlite' || cleanup.isClean;
  const hasUnmanagedFiles = remaining.copies.some(({ kind }) => kind === 'unmanaged file');
  const isDone =
    isEmpty &&
    !hasUnmanagedFiles &&
    activeLeases.length === 0 &&
    isNothingFound(onlyReceivedBefore(remaining, at));
  return { at, counts, activeLeases, cleanup, remaining, isDone };
}

function onlyReceivedBefore(found: PersonalData, at: string): PersonalData {
  const isLater = ({ receivedAt }: FoundMessage) => receivedAt > at;
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
  matcher: AddressMatcher,
  found: PersonalData,
  references: readonly string[],
  auditRows: readonly AuditRow[],
): Promise<void> {
  const { mentions, redact } = matcher;
  const others = found.mentions.map(({ reference }) => reference);
  const mentioning = await privacy.listMessages(others);
  const notes = (await privacy.listNotes(others)).filter(({ text }) => mentions(text));
  const notices = await Array.fromAsync(privacy.eachNotice(), page =>
    page
      .map(({ reference, payload }) => ({ reference, payload: payload ?? '' }))
      .filter(({ payload }) => mentions(payload))
      .map(({ reference, payload }) => ({ reference, payload: redact(payload) })),
  );
  await privacy.eraseMessages({
    references,
    redacted: mentioning.map(row => ({
      reference: row.reference,
      ...mapMessageFields(name => redact(row[name])),
    })),
    notes: notes.map(note => ({ ...note, text: redact(note.text) })),
    notices: notices.flat(),
    audit: auditRows,
  });
}

function buildAuditRows(
  { auditHasher }: EraseDeps,
  { address }: AddressMatcher,
  extraReferences: readonly string[],
  { messages, mentions, newsletter, reports, copies }: PersonalData,
  at: string,
): AuditRow[] {
  const count = (wanted: string) => copies.filter(({ kind }) => kind === wanted).length;
  const counts = {
    messages: messages.length,
    mentions: mentions.length,
    newsletter: Number(hasSubscriberData(newsletter)),
    reports: reports.length,
    rows: count('row'),
    mails: count('mail'),
  };
  return [
    { hash: auditHasher.hashAddress(address), action: 'erase', done_at: at, counts: JSON.stringify(counts) },
    // Of each message: a backup may hold it under the address that it had before a correction.
    ...[...new Set([...extraReferences, ...messages.map(({ reference }) => reference)])].map(reference => ({
      hash: auditHasher.hashReference(reference),
      action: 'erase-message' as const,
      done_at: at,
      counts: '{}',
    })),
  ];
}

const [pollMs, timeoutMs] = [100, 15_000];

/** Returns the leases that did not end in time. */
export async function waitForDeliveries(
  { privacy, clock }: { privacy: Pick<Privacy, 'listLeases'>; clock: Clock },
  references: readonly string[],
  subscriber?: string,
): Promise<Lease[]> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const leases = await privacy.listLeases(references, subscriber, clock.now().toISOString());
    if (leases.length === 0 || performance.now() > deadline) return leases;
    await wait(pollMs);
  }
}

type UnknownDeps = {
  messages: Pick<Messages, 'get'>;
  privacy: Pick<Privacy, 'listAudit'>;
  auditHasher: AuditHasher;
};

/** A message in the audit is known: an interrupted erasure may have left its copies. */
export async function findUnknownReferences(
  { messages, privacy, auditHasher }: UnknownDeps,
  references: readonly string[],
): Promise<string[]> {
  const unknown: string[] = [];
  for (const reference of references) {
    const isKnown =
      (await messages.get(reference)) ||
      (await privacy.listAudit(auditHasher.hashReference(reference))).length > 0;
    if (!isKnown) unknown.push(reference);
  }
  return unknown;
}
