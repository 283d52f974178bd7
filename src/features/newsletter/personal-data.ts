import type { Database } from '../../core/database/open-store.ts';
import type { SuppressionReason } from '../../core/database/tables.ts';
import {
  type Correction,
  type CorrectionPlan,
  type Finding,
  type FoundData,
  listMailTasks,
  noFinding,
  type PersonalData,
  type PersonalDataCore,
  type PersonalDataSteps,
  type PersonSearch,
  type Remark,
  type ReplacedDatabase,
  type RestoreReport,
  type StoredRecords,
} from '../../core/personal-data.ts';
import { parseDeliverableAddress } from '../../lib/email-address.ts';
import { formatCount } from '../../lib/format-count.ts';
import { createConsentTexts } from './consent-texts.ts';
import { createContentResolver } from './create-newsletter.ts';
import { eraseSubscriberById } from './erase-subscriber-rows.ts';
import { expirePendingSubscribers } from './expire-pending-subscribers.ts';
import { exportForPerson } from './export-for-person.ts';
import { importSubscribers } from './import-subscribers.ts';
import { createNewsletterIssues } from './newsletter-issues.ts';
import { createNewsletterKeys } from './newsletter-keys.ts';
import { reapplyOptOuts } from './reapply-opt-outs.ts';
import { createSignUps } from './sign-ups.ts';
import { createSubscribers, hasSubscriberData, type NewsletterRecord } from './subscribers.ts';
import { unsubscribeSubscriberById } from './unsubscribe.ts';

type Core = PersonalDataCore & ReturnType<typeof createQueries>;

function createQueries({ db, group }: Database) {
  return {
    subscribers: createSubscribers(db),
    signUps: createSignUps(group),
    consentTexts: createConsentTexts(db),
    newsletterIssues: createNewsletterIssues(db),
  };
}

type Found = { search: PersonSearch; id: string | undefined; record: NewsletterRecord; issues: string[] };

const noRecord: NewsletterRecord = { subscriber: undefined, signUps: [], tokens: 0, mails: [] };

export const personalData: PersonalData = {
  createSteps: core => describeSteps({ ...core, ...createQueries(core.database) }),
  afterRestore,
};

function describeSteps(core: Core): PersonalDataSteps {
  return {
    tables: ['subscribers', 'sign_ups', 'tokens', 'deliveries'],
    sections: [
      {
        title: 'Newsletter',
        labels: {
          newsletter: 'Subscription',
          'sign-up': 'Sign-up',
          'newsletter mail': 'Issue sent to them',
          'confirmation mail': 'Email that asks to confirm',
        },
      },
      {
        title: 'Newsletter issues that contain the address',
        labels: { 'newsletter issue, mention': '' },
        erasure: 'kept',
      },
    ],
    find: async search => describe(core, await find(core, search)),
    expire: [
      {
        name: 'purge pending subscribers',
        everyMs: 10 * 60_000,
        run: () => expirePendingSubscribers({ ...core, schedule: core.database.schedule }),
      },
    ],
    explain: {
      usedFor: { newsletter: 'sending it to you: your consent, which you can withdraw at any time' },
      retention: {
        newsletter: 'while it is sent, and after that as proof, until its erasure is asked for',
      },
    },
    eachRecord: () => eachRecord(core),
    ownAction: 'erase-newsletter',
    hasReturned: (address, since) => hasReturned(core, address, since),
  };
}

function getId({ permanentHmac }: Pick<Core, 'permanentHmac'>, address: string): string | undefined {
  const parsed = parseDeliverableAddress(address);
  return parsed && createNewsletterKeys(permanentHmac).subscriberPseudonym(parsed.lowerCaseAddress);
}

async function find(core: Core, search: PersonSearch): Promise<Found> {
  const { subscribers, newsletterIssues } = core;
  const id = getId(core, search.address);
  const issues = await Array.fromAsync(newsletterIssues.each(), page =>
    page
      .filter(({ subject, text, html }) => search.mentions(`${subject}\n${text}\n${html}`))
      .map(({ name }) => name),
  );
  const record = id === undefined ? noRecord : await subscribers.getRecord(id);
  return { search, id, record, issues: issues.flat() };
}

function describe(core: Core, found: Found): FoundData {
  const { id, record, issues } = found;
  const { subscriber, signUps, mails } = record;
  const isEmpty = !hasSubscriberData(record);
  const counts = { newsletter: Number(!isEmpty) };
  const remark = describeHash(subscriber);
  return {
    references: [],
    counts,
    findings: [...listFindings(found)],
    json: {
      newsletter: subscriber || signUps.length > 0 ? describeRecord(record) : null,
      issues,
    },
    ...(remark && { remark }),
    kept: issues.map(name => `newsletter issue ${name}`),
    select: () => ({
      isEmpty,
      counts,
      references: [],
      leases: { references: [], subscriber: id },
      async eraseDelivered(_, at) {
        const isErased = !isEmpty && id && (await eraseSubscriberById(core.subscribers, id, at));
        return { newsletter: Number(isErased) };
      },
    }),
    listErasureTasks: async () => listMailTasks(core.copyTargets.mailServer, mails),
    exportData: async () => ({
      document: { newsletter: id === undefined ? null : await exportForPerson(core, record) },
      counts,
    }),
    canExport: !isEmpty || subscriber !== undefined,
    canCorrect: !isEmpty,
    planCorrection: (change, only) => planCorrection(core, found, change, only),
  };
}

function* listFindings({ record: { subscriber, signUps, mails }, issues }: Found): Generator<Finding> {
  if (subscriber && subscriber.address !== null) {
    const { state, suppression_reason: reason, address: words } = subscriber;
    const time = subscriber.confirmed_at ?? subscriber.requested_at ?? subscriber.suppressed_at ?? '';
    yield { ...noFinding, what: 'newsletter', state: reason ? `${state} (${reason})` : state, time, words };
  }
  for (const { requested_at: time, form: words } of signUps) {
    yield { ...noFinding, what: 'sign-up', state: 'waiting', time, words };
  }
  for (const { kind, name, state, settled_at, created_at } of mails) {
    const what = kind === 'issue' ? 'newsletter mail' : 'confirmation mail';
    yield { ...noFinding, what, state, time: settled_at ?? created_at, words: name ?? '' };
  }
  for (const words of issues) yield { ...noFinding, what: 'newsletter issue, mention', words };
}

function describeRecord({ subscriber, signUps, mails }: NewsletterRecord) {
  const shown = mails.map(({ kind, name: issue, state, created_at, settled_at }) => ({
    kind,
    issue,
    state,
    created_at,
    settled_at,
  }));
  return { subscriber: subscriber ?? null, requests: signUps, mails: shown };
}

const reasons: Record<SuppressionReason | '', string> = {
  '': '',
  bounce: 'mail to it could not be delivered',
  complaint: 'it complained about a mail',
  owner: 'you stopped mail to it',
  erased: 'it was erased',
};

/** Where the address itself is not stored. */
function describeHash(subscriber: NewsletterRecord['subscriber']): Remark | undefined {
  if (subscriber?.address !== null) return undefined;
  const reason = reasons[subscriber.suppression_reason];
  return {
    command: `The newsletter stores only a keyed hash of the address, and sends nothing to it (${subscriber.suppression_reason}).`,
    desk: `The newsletter keeps only a code made from the address, so that nothing is sent to it${reason ? ` (${reason})` : ''}. The address cannot be read from it.`,
  };
}

/** A subscriber's address is not changed: the old one is unsubscribed, and the new one has to confirm. */
async function planCorrection(
  core: Core,
  { search, id, record }: Found,
  { email }: Correction,
  only: string | undefined,
): Promise<CorrectionPlan> {
  const { subscriber, signUps } = record;
  const isOnList = subscriber?.state === 'confirmed' || subscriber?.state === 'pending' || signUps.length > 0;
  // Another spelling of the same address keeps the subscription.
  const isMoved = email !== undefined && !search.belongsToPerson(email);
  const isEmpty = only !== undefined || id === undefined || !isMoved || !isOnList;
  return {
    isEmpty,
    isUndeliverable: !isEmpty && !parseDeliverableAddress(email),
    lines: [],
    ...(!isEmpty && {
      effect: {
        command:
          'Newsletter: the old address is unsubscribed, and the new one is asked to confirm. Consent is not transferred.',
        desk: 'Newsletter: the old address is unsubscribed, and the new one gets an email that asks to confirm. Consent is not transferred.',
        button: 'move the subscription',
      },
    }),
    async apply() {
      if (isEmpty) return { counts: { newsletter: 0 }, done: [], json: {} };
      const newsletter = await moveSubscription(core, id, email);
      return { counts: { newsletter: 1 }, done: [`Newsletter: ${newsletter}.`], json: { newsletter } };
    },
    listTasks: async () => [],
  };
}

async function moveSubscription(core: Core, id: string, email: string): Promise<string> {
  const parsed = parseDeliverableAddress(email);
  const deps = {
    ...core,
    newsletterKeys: createNewsletterKeys(core.permanentHmac),
    resolveConsentText: createContentResolver(core, core.consentTexts),
  };
  const { added } = await importSubscribers(deps, parsed ? [parsed] : [], { isDryRun: false });
  await unsubscribeSubscriberById(core.subscribers, id, core.clock.now().toISOString());
  return added > 0
    ? 'unsubscribed; the new address is asked to confirm'
    : 'unsubscribed; the new address is already known';
}

async function* eachRecord({ subscribers }: Core): AsyncGenerator<StoredRecords[]> {
  yield [{ addresses: await subscribers.listAddresses() }];
}

async function hasReturned(core: Core, address: string, since: string): Promise<boolean> {
  const id = getId(core, address);
  if (id === undefined) return false;
  const { subscriber: row, signUps } = await core.subscribers.getRecord(id);
  const own = [row?.requested_at, row?.consent_requested_at, row?.confirmed_at, row?.unsubscribed_at];
  return [...own, ...signUps.map(({ requested_at }) => requested_at)].some(at => (at ?? '') > since);
}

async function afterRestore(
  { database, permanentHmac }: PersonalDataCore,
  { database: replaced, since, secret }: ReplacedDatabase,
): Promise<RestoreReport> {
  const subscribers = createSubscribers(database.db);
  const areOptOutsUnknown = secret !== 'same' && (await subscribers.listAddresses()).length > 0;
  const optOuts = await reapplyOptOuts(
    { subscribers, newsletterKeys: createNewsletterKeys(permanentHmac) },
    await createSubscribers(replaced.db).listOptOuts(since),
    { isSameKey: secret !== 'other' },
  );
  return {
    json: { optOuts, areOptOutsUnknown },
    lines: [
      ...(optOuts > 0
        ? [`Unsubscribed or suppressed since the backup, and still so: ${formatCount(optOuts, 'subscriber')}`]
        : []),
      ...(areOptOutsUnknown
        ? [
            'People who unsubscribed or were suppressed after the backup are not known on this machine, and are subscribed ' +
              'again. If the old database still exists, back it up and restore that instead. Otherwise, before the next issue, ' +
              'for each address you know of: npm run newsletter -- suppress ADDRESS',
          ]
        : []),
    ],
  };
}
