import { type AddressMatcher, createAddressMatcher, mayContainAddress } from '../../core/address-matcher.ts';
import type { ErasureLogRow } from '../../core/database/tables.ts';
import type { Leases } from '../../core/outbox/leases.ts';
import { addCounts, type Counts, type ErasureLog, type PersonalDataSteps } from '../../core/personal-data.ts';
import { foldAddress } from '../../lib/email-address.ts';
import { erasePerson } from './erase-person.ts';
import type { ErasureHasher } from './erasure-log.ts';

type ReplayDeps = {
  personalData: readonly PersonalDataSteps[];
  outbox: Leases;
  erasureLog: Pick<ErasureLog, 'record' | 'list' | 'hashAddress' | 'hashReference'>;
  /** The backup's own hashers first; entries may have those of the replaced database. */
  hashers: readonly ErasureHasher[];
};

/** Repeats later erasures in a backup. The log holds only hashes, so every address is compared with it. */
export async function replayErasures(deps: ReplayDeps, entries: readonly ErasureLogRow[]): Promise<Counts> {
  const erased: Counts = { messages: 0, mentions: 0, newsletter: 0, reports: 0 };
  if (entries.length === 0) return erased;
  const { people, references } = await findErased(deps, entries);
  for (const steps of deps.personalData) await steps.eraseReferences?.(references);
  erased.messages = references.length;
  for (const [address, found] of people) {
    for (const entry of found) addCounts(erased, await repeatErasure(deps, address, entry));
  }
  return erased;
}

async function findErased(
  { personalData, hashers }: Pick<ReplayDeps, 'personalData' | 'hashers'>,
  entries: readonly ErasureLogRow[],
) {
  const byHash = Map.groupBy(entries, ({ hash }) => hash);
  const people = new Map<string, ErasureLogRow[]>();
  const references: string[] = [];
  function compare(address: string): void {
    const key = foldAddress(address);
    const found = hashers.flatMap(hasher => byHash.get(hasher.hashAddress(key)) ?? []);
    if (found.length > 0) people.set(key, found);
  }
  for (const steps of personalData) {
    for await (const page of steps.eachRecord()) {
      for (const record of page) {
        for (const reference of record.references ?? [])
          if (hashers.some(hasher => byHash.has(hasher.hashReference(reference)))) references.push(reference);
        for (const address of record.addresses ?? []) compare(address);
        for (const text of record.texts ?? []) for (const address of findCandidates(text)) compare(address);
      }
    }
  }
  return { people, references };
}

/** As it was done then: what the person sent or signed up for since stays. */
async function repeatErasure(
  { personalData, ...deps }: ReplayDeps,
  address: string,
  { action, done_at }: ErasureLogRow,
): Promise<Counts> {
  const covered: PersonalDataSteps[] = [];
  for (const steps of personalData) {
    const isCovered = action === 'erase' || action === steps.ownAction;
    if (isCovered && !(await steps.hasReturned?.(address, done_at))) covered.push(steps);
  }
  if (covered.length === 0) return {};
  const { counts } = await erasePerson(
    {
      ...deps,
      personalData: covered,
      clock: { now: () => new Date(done_at) },
      copies: {
        find: async () => [],
        erase: async () => ({ rows: 0, redacted: 0, mails: 0, temporaryFiles: 0 }),
      },
      // The working copy is deleted as a whole, and remains of rows with it.
      storage: { cleanUp: async () => ({ kind: 'sqlite', isClean: true }) },
      erasureLog: { ...deps.erasureLog, append: async () => undefined },
    },
    createAddressMatcher(address) as AddressMatcher,
    { action },
  );
  const { messages = 0, mentions = 0, newsletter = 0, reports = 0 } = counts;
  return { messages, mentions, newsletter, reports };
}

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
