import type { MessageRow, NoteRow } from '../../core/database/tables.ts';
import { createMailCopies } from '../../core/mail/mail-copies.ts';
import type { Delivery } from '../../core/outbox/deliveries.ts';
import { waitForDeliveries } from '../../core/outbox/leases.ts';
import {
  type Correction,
  type CorrectionPlan,
  type ErasableData,
  type Finding,
  type FoundData,
  noFinding,
  type PersonalData,
  type PersonalDataCore,
  type PersonalDataSteps,
  type PersonSearch,
  type StoredRecords,
} from '../../core/personal-data.ts';
import { describeCounts } from '../../lib/describe-counts.ts';
import { formatRetention } from '../../lib/format-period.ts';
import { expireMessages } from './expire-messages.ts';
import { exportForPerson } from './export-for-person.ts';
import { buildRemoteCopyTasks, listErasureTasks, listRemoteCopies } from './follow-up-tasks.ts';
import { mapMessageFields, messageFieldNames } from './message-fields.ts';
import { createMessages, type Messages } from './messages.ts';
import { toMessagePayload } from './payloads.ts';
import { createNotificationMail } from './receivers/notification-mail.ts';
import { createSheetCopies } from './receivers/sheet-copies.ts';

type Core = PersonalDataCore & { messages: Messages };
type FoundMessage = Pick<MessageRow, 'reference' | 'state'> & { receivedAt: string; excerpt: string };
type FoundNotice = { reference: string; at: string };

type Found = {
  search: PersonSearch;
  messages: FoundMessage[];
  mentions: FoundMessage[];
  notes: NoteRow[];
  deliveries: Delivery[];
  notices: FoundNotice[];
};

export const personalData: PersonalData = {
  createFiles({ dataDir }) {
    const sheet = createSheetCopies(dataDir);
    return { ...sheet, expire: async old => ({ rows: await sheet.expire(old) }) };
  },
  createSteps: core => describeSteps({ ...core, messages: createMessages(core.database.group) }),
};

function describeSteps(core: Core): PersonalDataSteps {
  return {
    tables: ['messages', 'notes', 'deliveries', 'attempts'],
    sections: [
      { title: 'Messages from this person', labels: { message: '' } },
      {
        title: 'Messages from other people',
        about: 'They contain the address.',
        labels: { mention: '' },
        erasure: 'redacted',
      },
      { title: 'Your notes on their messages', labels: { note: '' } },
      { title: 'Where their messages were passed on', labels: { delivery: '' } },
      { title: 'Notices to you that contain the address', labels: { 'notice, mention': '' } },
    ],
    find: async search => describe(core, await find(core, search)),
    hasReference: async reference => (await core.messages.get(reference)) !== undefined,
    expire: [
      {
        name: 'expire messages',
        everyMs: 60 * 60_000,
        run: signal => expireMessages({ ...core, ...core.database }, core.config.retention, signal),
      },
    ],
    explain: {
      usedFor: {
        messages:
          'reading and answering them, and preparing what you asked for: our legitimate interest in answering, and steps towards a contract',
      },
      retention: {
        messages: formatRetention(core.config.retention.messagesDays),
        quarantinedMessages: formatRetention(core.config.retention.quarantineDays),
      },
    },
    eachRecord: () => eachRecord(core),
    async eraseReferences(references) {
      const { messages } = core;
      await messages.eraseMessages({ references, redacted: [], notes: [], notices: [] });
      await messages.deleteDeliveries(references);
    },
  };
}

async function find({ messages: stored }: Core, search: PersonSearch): Promise<Found> {
  const known = [...search.references];
  const messages = (await stored.listMessages(known)).map(summarizeMessage);
  const mentions: FoundMessage[] = [];
  for await (const page of stored.eachMessageContaining(search.part)) {
    const notes = await stored.listNotes(page.map(({ reference }) => reference));
    const noted = new Set(
      notes.filter(({ text }) => search.mentions(text)).map(({ reference }) => reference),
    );
    for (const row of page) {
      if (search.references.has(row.reference)) continue;
      if (search.belongsToPerson(getSenderAddress(row))) messages.push(summarizeMessage(row));
      else if (noted.has(row.reference) || messageFieldNames.some(name => search.mentions(row[name])))
        mentions.push(summarizeMessage(row));
    }
  }
  const references = [...new Set([...known, ...messages.map(({ reference }) => reference)])];
  const notices = await Array.fromAsync(stored.eachNotice(), page =>
    page
      .filter(({ payload }) => search.mentions(payload ?? ''))
      .map(({ reference, created_at: at }) => ({ reference, at })),
  );
  return {
    search,
    messages,
    mentions,
    notes: await stored.listNotes(references),
    deliveries: await stored.listDeliveries(references),
    notices: notices.flat(),
  };
}

function describe(core: Core, found: Found): FoundData {
  const { messages, mentions, deliveries } = found;
  const references = messages.map(({ reference }) => reference);
  return {
    references,
    counts: { messages: messages.length, mentions: mentions.length },
    findings: [...listFindings(found)],
    json: {
      messages,
      mentions,
      notes: found.notes,
      deliveries: deliveries.map(({ reference, receiver, state, created_at, settled_at }) => ({
        reference,
        receiver,
        state,
        created_at,
        settled_at,
      })),
      notices: found.notices,
    },
    select: upTo => select(core, found, upTo),
    listErasureTasks: () => listErasureTasks(core, core.copyTargets, found),
    listRemoteCopies: () => listRemoteCopies(core, core.copyTargets, found),
    exportData: async () => ({
      document: { messages: await exportForPerson(core, references) },
      counts: { messages: messages.length },
    }),
    canExport: messages.length > 0,
    canCorrect: messages.length > 0,
    planCorrection: (change, only) =>
      planCorrection(core, only === undefined ? references : references.filter(one => one === only), change),
  };
}

function* listFindings({ messages, mentions, notes, deliveries, notices }: Found): Generator<Finding> {
  for (const [what, list] of Object.entries({ message: messages, mention: mentions }))
    for (const { reference, state, receivedAt: time, excerpt } of list)
      yield { ...noFinding, what, reference, state, time, words: excerpt };
  for (const { reference, created_at: time, text: words } of notes)
    yield { ...noFinding, what: 'note', reference, time, words };
  for (const { reference, receiver, state, settled_at, created_at } of deliveries) {
    const where = `to ${receiver}`;
    yield { ...noFinding, what: 'delivery', reference, state, time: settled_at ?? created_at, where };
  }
  for (const { reference, at } of notices)
    yield { ...noFinding, what: 'notice, mention', reference, time: at };
}

function select({ messages: stored }: Core, found: Found, upTo: string): ErasableData {
  const isLater = ({ receivedAt }: FoundMessage) => receivedAt > upTo;
  const laterReferences = found.messages.filter(isLater).map(({ reference }) => reference);
  const later = new Set(laterReferences);
  const messages = found.messages.filter(one => !isLater(one));
  const mentions = found.mentions.filter(one => !isLater(one));
  const deliveries = found.deliveries.filter(({ reference }) => !later.has(reference));
  const mentioning = mentions.map(({ reference }) => reference);
  const counts = { messages: messages.length, mentions: mentions.length };
  return {
    isEmpty: [messages, mentions, deliveries, found.notices].every(list => list.length === 0),
    counts,
    references: messages.map(({ reference }) => reference),
    laterReferences,
    async eraseRows(references) {
      await eraseRows(stored, found.search, references, mentioning);
      return counts;
    },
    leases: { references: mentioning },
    async eraseDelivered(references) {
      await stored.deleteDeliveries(references);
      return {};
    },
  };
}

async function eraseRows(
  stored: Messages,
  { mentions, redact }: PersonSearch,
  references: readonly string[],
  mentioning: readonly string[],
): Promise<void> {
  const rows = await stored.listMessages(mentioning);
  const notes = (await stored.listNotes(mentioning)).filter(({ text }) => mentions(text));
  const notices = await Array.fromAsync(stored.eachNotice(), page =>
    page
      .map(({ reference, payload }) => ({ reference, payload: payload ?? '' }))
      .filter(({ payload }) => mentions(payload))
      .map(({ reference, payload }) => ({ reference, payload: redact(payload) })),
  );
  await stored.eraseMessages({
    references,
    redacted: rows.map(row => ({
      reference: row.reference,
      ...mapMessageFields(name => redact(row[name])),
    })),
    notes: notes.map(note => ({ ...note, text: redact(note.text) })),
    notices: notices.flat(),
  });
}

async function planCorrection(
  core: Core,
  references: readonly string[],
  change: Correction,
): Promise<CorrectionPlan> {
  const { messages: stored } = core;
  const rows = await stored.listMessages(references);
  return {
    isEmpty: references.length === 0,
    lines: rows.map(({ reference, received_at: time, ...old }) => ({
      reference,
      time,
      old: mapMessageFields(name => old[name]),
    })),
    apply: () => applyCorrection(core, references, change),
    listTasks: async () =>
      buildRemoteCopyTasks(
        await listRemoteCopies(core, core.copyTargets, {
          deliveries: await stored.listDeliveries(references),
          mentions: [],
        }),
        'correct',
      ),
  };
}

async function applyCorrection(
  { database: { outbox }, messages: stored, clock, config: { dataDir, mail } }: Core,
  references: readonly string[],
  change: Correction,
) {
  await stored.rectifyMessages(references, change);
  await waitForDeliveries({ outbox, clock }, { references });
  const corrected: MessageRow[] = await stored.listMessages(references);
  const notifications = corrected.map(row => createNotificationMail(toMessagePayload(row), mail.to, false));
  const ofCorrected = new Set(corrected.map(({ reference }) => reference));
  const counts = {
    messages: corrected.length,
    rows: await createSheetCopies(dataDir).rectify(ofCorrected, change),
    mails: await createMailCopies(dataDir).rewrite(notifications, mail.from),
  };
  return {
    counts,
    done: corrected.length > 0 ? [`Corrected: ${describeCounts(counts)}.`] : [],
    json: counts,
  };
}

async function* eachRecord({ messages }: Core): AsyncGenerator<StoredRecords[]> {
  for await (const page of messages.eachMessageContaining(undefined)) {
    const references = page.map(({ reference }) => reference);
    const notes = Map.groupBy(await messages.listNotes(references), ({ reference }) => reference);
    yield page.map(row => ({
      references: [row.reference],
      addresses: [getSenderAddress(row)],
      texts: [
        ...messageFieldNames.map(name => row[name]),
        ...(notes.get(row.reference) ?? []).map(({ text }) => text),
      ],
    }));
  }
  for await (const page of messages.eachNotice())
    yield page.map(({ payload }) => ({ texts: [payload ?? ''] }));
}

const maxExcerptLength = 200;

function summarizeMessage({
  reference,
  received_at: receivedAt,
  state,
  name,
  message,
}: MessageRow): FoundMessage {
  const excerpt = [name.trim(), message.trim().slice(0, maxExcerptLength)].filter(Boolean).join(': ');
  return { reference, receivedAt, state, excerpt };
}

/** Some visitors type their address into the name field only. */
function getSenderAddress({ name, email }: { name: string; email: string }): string {
  return email.trim() ? email : name;
}
