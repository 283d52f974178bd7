import type { AuditRow } from '../../core/database/tables.ts';
import { foldAddress, parseDeliverableAddress } from '../../lib/email-address.ts';
import { messageFieldNames } from '../messages/message-fields.ts';
import { eraseSubscriberRows } from '../newsletter/erase-subscriber-rows.ts';
import type { NewsletterKeys } from '../newsletter/newsletter-keys.ts';
import type { Subscribers } from '../newsletter/subscribers.ts';
import { type AddressMatcher, createAddressMatcher, mayContainAddress } from './address-matcher.ts';
import { type AuditHasher, getSenderAddress } from './audit-hasher.ts';
import { erasePerson } from './erase-person.ts';
import type { NewsletterRecord, Privacy } from './privacy.ts';

type ReplayDeps = {
  privacy: Privacy;
  subscribers: Pick<Subscribers, 'inErasingTransaction'>;
  newsletterKeys: Pick<NewsletterKeys, 'subscriberPseudonym'>;
  /** The backup's own hashers first; entries may have those of the replaced database. */
  hashers: readonly AuditHasher[];
};

/** Repeats later erasures in a backup. The ledger holds only hashes, so every address is compared with it. */
export async function replayErasures(
  { hashers, ...deps }: ReplayDeps,
  entries: readonly AuditRow[],
  subscribed: readonly string[],
) {
  const { privacy } = deps;
  const erased = { messages: 0, mentions: 0, newsletter: 0 };
  if (entries.length === 0) return erased;
  const byHash = Map.groupBy(entries, ({ hash }) => hash);
  const people = new Map<string, AuditRow[]>();
  const references: string[] = [];
  function compare(address: string): void {
    const key = foldAddress(address);
    const found = hashers.flatMap(hasher => byHash.get(hasher.hashAddress(key)) ?? []);
    if (found.length > 0) people.set(key, found);
  }
  for (const address of subscribed) compare(address);
  for await (const page of privacy.eachMessageContaining(undefined)) {
    const notes = Map.groupBy(
      await privacy.listNotes(page.map(({ reference }) => reference)),
      ({ reference }) => reference,
    );
    for (const row of page) {
      if (hashers.some(hasher => byHash.has(hasher.hashReference(row.reference))))
        references.push(row.reference);
      const texts = messageFieldNames.map(name => row[name]);
      for (const { text } of notes.get(row.reference) ?? []) texts.push(text);
      for (const address of [getSenderAddress(row), ...texts.flatMap(findCandidates)]) compare(address);
    }
  }
  for await (const page of privacy.eachNotice()) {
    for (const { payload } of page) for (const address of findCandidates(payload ?? '')) compare(address);
  }
  await privacy.eraseMessages({ references, redacted: [], notes: [], notices: [], audit: [] });
  await privacy.deleteDeliveries(references);
  erased.messages = references.length;
  for (const [address, found] of people) {
    for (const { action, done_at } of found) {
      const then = { ...deps, ...noLocalCopies, clock: { now: () => new Date(done_at) } };
      // The working copy is deleted as a whole, and remains of rows with it.
      const cleanUpStorage = async () => ({ kind: 'sqlite', isClean: true }) as const;
      const isResubscribed = await hasResubscribed(deps, address, done_at);
      const getNewsletter = isResubscribed ? async () => noRecord : privacy.getNewsletter;
      const whole = {
        ...then,
        privacy: { ...privacy, cleanUpStorage, getNewsletter },
        auditHasher: hashers[0] as AuditHasher,
      };
      if (action === 'erase') {
        const { counts } = await erasePerson(whole, createAddressMatcher(address) as AddressMatcher);
        erased.messages += counts.messages;
        erased.mentions += counts.mentions;
        erased.newsletter += counts.newsletter;
      } else if (
        action === 'erase-newsletter' &&
        !isResubscribed &&
        (await eraseSubscriberRows(then, address)).kind === 'erased'
      ) {
        erased.newsletter += 1;
      }
    }
  }
  return erased;
}

const noRecord: NewsletterRecord = { subscriber: undefined, signUps: [], tokens: 0, mails: [] };

async function hasResubscribed(
  { privacy, newsletterKeys }: Omit<ReplayDeps, 'hashers'>,
  address: string,
  erasedAt: string,
): Promise<boolean> {
  const key = parseDeliverableAddress(address)?.lowerCaseAddress;
  if (key === undefined) return false;
  const { subscriber: row, signUps } = await privacy.getNewsletter(newsletterKeys.subscriberPseudonym(key));
  const own = [row?.requested_at, row?.consent_requested_at, row?.confirmed_at, row?.unsubscribed_at];
  return [...own, ...signUps.map(({ requested_at }) => requested_at)].some(at => (at ?? '') > erasedAt);
}

const noLocalCopies = {
  copies: {
    find: async () => [],
    erase: async () => ({ rows: 0, redacted: 0, mails: 0, temporaryFiles: 0 }),
  },
  ledger: { append: async () => undefined },
};

/** Every possible address. Only the last 8 parts before the @ are tried: a long text must not take quadratic time. */
function findCandidates(text: string): string[] {
  if (!mayContainAddress.test(text)) return [];
  const decoded = text.replaceAll(/%([2-7][0-9a-f])/gi, (_, code) => String.fromCharCode(parseInt(code, 16)));
  const plain = decoded.normalize('NFC').replaceAll('\uff20', '@').replaceAll('[.]', '.');
  const pattern = /([^\s<>()[\]\\,;:"“”‘’|@]{1,100})@([\p{L}\p{M}\p{N}.-]{1,255})/gu;
  return [...plain.matchAll(pattern)].flatMap(([, local = '', host = '']) => {
    const parts = local.split(/(?<=[^\p{L}\p{M}\p{N}])/u);
    const domain = host.replace(/[.-]+$/, '');
    const ends = parts.slice(-8).map((_, index, last) => last.slice(index).join(''));
    return [local, ...ends].map(start => `${start}@${domain}`);
  });
}
