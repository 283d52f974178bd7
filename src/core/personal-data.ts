import type { AddressMatcher } from './address-matcher.ts';
import type { Clock } from './clock.ts';
import type { Database } from './database/open-store.ts';
import type { ErasureLogRow } from './database/tables.ts';
import type { HmacSigner } from './hmac.ts';
import type { Ids } from './ids.ts';
import type { LocalCopies, LocalFiles } from './local-files.ts';
import type { Log } from './log.ts';
import type { Job } from './outbox/job-scheduler.ts';
import type { LeaseFilter } from './outbox/leases.ts';
import type { CoreConfig } from './settings/core-settings.ts';

/** How many of what, by the names that lib/describe-counts.ts has a word for. */
export type Counts = Record<string, number>;

/** `references`: of messages that are known to be the person's, whether or not they contain the address. */
export type PersonSearch = AddressMatcher & { references: ReadonlySet<string> };

/** One line of the list of what was found. */
export type Finding = Record<'what' | 'reference' | 'state' | 'time' | 'where' | 'words', string>;

/** Findings that stand together at the desk, by what they are, with their labels there. */
export type FindingSection = {
  title: string;
  about?: string;
  labels: Record<string, string>;
  /** What an erasure does not remove. */
  erasure?: 'redacted' | 'kept';
};

/** What the owner has to do, because the software cannot. */
export type Task = { where: string; what: string; references: string[] };

/** Where copies were sent that cannot be searched from here. */
export type RemoteCopies = {
  receiver: string;
  /** Of the receiver, at the desk. */
  label: string;
  destination: string | undefined;
  references: string[];
};

/** A field of a person that can be corrected; `email` is the address. */
export type CorrectableField = { name: string; label: string; input: 'line' | 'email' | 'choice' | 'text' };
/** Corrected values by name; a field that is left out stays as it is. */
export type Correction = Partial<Record<string, string>>;

/** The same in the words of the command line and of the desk. */
export type Remark = { command: string; desk: string };

/**
 * What a feature stores of people. Privacy requests, and the restore of a backup, go through the features in their order, and
 * know no table.
 */
export type PersonalDataSteps = {
  /** Tables whose rows are about people; a test compares them with the schema. */
  tables: readonly string[];
  find(search: PersonSearch): Promise<FoundData>;
  /** Of what it finds. */
  sections: readonly FindingSection[];
  hasReference?(reference: string): Promise<boolean>;
  /** Delete what is old. */
  expire: readonly Job[];
  /** For an export, by the names of its parts (GDPR Art. 15). */
  explain?: { usedFor: Record<string, string>; retention: Record<string, string> };
  /** Everything that may contain an address or have a reference: erasures are repeated in a backup by their hashes. */
  eachRecord(): AsyncIterable<StoredRecords[]>;
  /** Erases records that the erasure log has by their references, in a backup that is restored. */
  eraseReferences?(references: readonly string[]): Promise<void>;
  /** The action in the erasure log for an erasure from these tables alone. */
  ownAction?: ErasureLogRow['action'];
  /** Whether the person came back after that time, so that an erasure before does not cover these tables. */
  hasReturned?(address: string, since: string): Promise<boolean>;
};

export type StoredRecords = {
  references?: readonly string[];
  addresses?: readonly string[];
  texts?: string[];
};

export type FoundData = {
  /** Of records of the person: whatever else bears them is found by them, too. */
  references: readonly string[];
  counts: Counts;
  findings: readonly Finding[];
  /** Its part of `find --json`. */
  json: Record<string, unknown>;
  remark?: Remark;
  /** What contains the address and is not changed by an erasure, such as 'newsletter issue 2026-11'. */
  kept?: readonly string[];
  /** Of what was there at that time. */
  select(upTo: string): ErasableData;
  /** To be called before the erasure, which removes what names the receivers. */
  listErasureTasks(): Promise<Task[]>;
  listRemoteCopies?(): Promise<RemoteCopies[]>;
  /** Undefined where there is nothing to give to the person. */
  exportData(): Promise<{ document: Record<string, unknown>; counts: Counts }>;
  canExport: boolean;
  canCorrect: boolean;
  /** `reference`: only in this message. */
  planCorrection?(change: Correction, reference: string | undefined): Promise<CorrectionPlan>;
};

/** In the order of an erasure; each step gets the references of all rounds. */
export type ErasableData = {
  isEmpty: boolean;
  /** What is about to be erased, for the erasure log. */
  counts: Counts;
  references: readonly string[];
  /** Of records that came later, and stay. */
  laterReferences?: readonly string[];
  eraseRows?(references: readonly string[]): Promise<Counts>;
  /** Deliveries in progress that have to end before the next step. */
  leases?: LeaseFilter;
  eraseDelivered?(references: readonly string[], at: string): Promise<Counts>;
};

export type CorrectionPlan = {
  isEmpty: boolean;
  /** The new address cannot get mail, which it has to. */
  isUndeliverable?: boolean;
  lines: readonly CorrectionLine[];
  /** What happens besides, and its words on a button. */
  effect?: Remark & { button: string };
  apply(): Promise<AppliedCorrection>;
  listTasks(): Promise<Task[]>;
};

export type CorrectionLine = { reference: string; time: string; old: Correction };
export type AppliedCorrection = { counts: Counts; done: string[]; json: Record<string, unknown> };

/** The database that a backup replaces. */
export type ReplacedDatabase = {
  database: Database;
  /** When the backup was made. */
  since: string;
  /** Whether it made its pseudonyms with the backup's secret, another, or had made none yet. */
  secret: 'same' | 'other' | 'none';
};
export type RestoreReport = { json: Record<string, unknown>; lines: string[] };

export type PersonalData = {
  createFiles?(data: { dataDir: string }): LocalFiles;
  createSteps(core: PersonalDataCore): PersonalDataSteps;
  /** What a restored backup takes over from the database that it replaces. */
  afterRestore?(core: PersonalDataCore, replaced: ReplacedDatabase): Promise<RestoreReport>;
};

/** What the features' steps are made of: of the site, or of a backup that is being restored. */
export type PersonalDataCore = {
  database: Database;
  /** Pseudonyms and the erasure log are made with it. */
  permanentHmac: HmacSigner;
  clock: Clock;
  ids: Ids;
  log: Log;
  wake(): void;
  findContent(): string;
  copies: Pick<LocalCopies, 'expire' | 'expireMails'>;
  config: CoreConfig;
  copyTargets: CopyTargets;
};

/** Where the settings send copies of personal data. */
export type CopyTargets = {
  destinations: ReadonlyMap<string, string>;
  /** Receivers whose copies are files on this machine, which are searched and erased. */
  local: ReadonlySet<string>;
  /** The server that handles mail to the person; undefined where mails are files. */
  mailServer: string | undefined;
};

/** Erasures, corrections and exports as keyed hashes. `append` writes to the file beside the database, which no backup restores. */
export type ErasureLog = {
  path: string;
  append(rows: readonly ErasureLogRow[]): Promise<void>;
  record(rows: readonly ErasureLogRow[]): Promise<void>;
  list(hash: string): Promise<ErasureLogRow[]>;
  hashAddress(address: string): string;
  hashReference(reference: string): string;
};

export const noFinding: Finding = {
  what: '',
  reference: '',
  state: '',
  time: '',
  where: 'database',
  words: '',
};

/** The mail provider may have logged the address, whether or not the mails arrived. */
export function listMailTasks(mailServer: string | undefined, mails: readonly { state: string }[]): Task[] {
  const wasSent = mails.some(({ state }) => ['delivered', 'unconfirmed', 'failed'].includes(state));
  if (!mailServer || !wasSent) return [];
  return [
    {
      where: `mail to the person (${mailServer})`,
      what: 'this mail server handled mails to the address; ask its provider to delete it, except from bounce and complaint lists',
      references: [],
    },
  ];
}

export function addCounts(total: Counts, counts: Counts): void {
  for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count;
}

/** In the order of the features. */
export async function loadPersonalData(
  features: readonly { personalData?: () => Promise<{ personalData: PersonalData }> }[],
): Promise<PersonalData[]> {
  const loaded = await Promise.all(features.map(({ personalData }) => personalData?.()));
  return loaded.flatMap(module => module?.personalData ?? []);
}
