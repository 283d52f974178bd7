import type { AttemptRow, MessageRow, MessageState, NoteRow } from '../../core/database/tables.ts';
import type { FoundContext, MessageContext } from '../../core/message-context.ts';
import type { Delivery, DeliveryFilter } from '../../core/outbox/deliveries.ts';
import type { Outbox } from '../../core/outbox/outbox.ts';
import { foldText } from '../../lib/fold-text.ts';
import type { Messages } from './messages.ts';
import { receiverNames } from './receivers/receivers.ts';
import type { MessageCursor, MessageFilter, MessageOrder } from './select-messages.ts';

export type Total = { total: number; isTotalExact: boolean };
type Selection = { filter: MessageFilter; query?: string | undefined };
type PageInput = Selection & { limit: number; before?: string | undefined };
type MessagePage = {
  messages: MessageRow[];
  next: string | null;
  total: number | null;
  isTotalExact: boolean;
};

export async function listMessages(
  { messages }: { messages: Pick<Messages, 'get' | 'list' | 'search' | 'count'> },
  { filter, query, limit, before }: PageInput,
): Promise<MessagePage | undefined> {
  const last = before === undefined ? undefined : await messages.get(before);
  if (before !== undefined && !last) return undefined;
  const found = query
    ? await collect(messages.search(splitWords(query), filter, { after: last }), limit + 1)
    : await messages.list(filter, { limit: limit + 1, ...(last && { before: last }) });
  const page = found.slice(0, limit);
  const next = found.length > limit ? (page.at(-1)?.reference ?? null) : null;
  if (next === null && before === undefined)
    return { messages: page, next, total: page.length, isTotalExact: true };
  if (query) return { messages: page, next, total: null, isTotalExact: false };
  return { messages: page, next, ...(await countUpTo(max => messages.count(filter, max))) };
}

export type StateCounts = Record<MessageState | 'all', number>;

export async function countByState({
  messages,
}: {
  messages: Pick<Messages, 'countStates'>;
}): Promise<StateCounts> {
  const counts = await messages.countStates();
  return { ...counts, all: Object.values(counts).reduce((sum, count) => sum + count, 0) };
}

/** The messages before and after this one, in the order of their receipt. */
export async function findNeighbours(
  { messages }: { messages: Pick<Messages, 'findNext' | 'search'> },
  { filter, query }: Selection,
  message: MessageCursor,
): Promise<{ newer: string | undefined; older: string | undefined }> {
  const find = async (order: MessageOrder): Promise<string | undefined> => {
    if (!query) return messages.findNext(filter, order, message);
    const [found] = await collect(messages.search(splitWords(query), filter, { order, after: message }), 1);
    return found?.reference;
  };
  const [newer, older] = await Promise.all([find('oldest'), find('newest')]);
  return { newer, older };
}

/** Which of these messages did not reach a receiver. */
export async function findUndelivered(
  { messages }: { messages: Pick<Messages, 'listDeliveries'> },
  references: readonly string[],
): Promise<Set<string>> {
  const deliveries = await messages.listDeliveries(references);
  return new Set(deliveries.filter(({ state }) => state === 'failed').map(({ reference }) => reference));
}

async function collect(pages: AsyncIterable<MessageRow[]>, limit: number): Promise<MessageRow[]> {
  const found: MessageRow[] = [];
  for await (const page of pages) {
    found.push(...page.slice(0, limit - found.length));
    if (found.length >= limit) break;
  }
  return found;
}

/** All of them must be somewhere in a message or its notes, in any order. */
function splitWords(query: string): string[] {
  return foldText(query).replaceAll('\0', ' ').split(/\s+/).filter(Boolean);
}

export type MessageWithNotes = MessageRow & { notes: Pick<NoteRow, 'created_at' | 'text'>[] };

/** From the newest, so that it ends however many messages arrive meanwhile. */
export async function* eachMessage(
  { messages }: { messages: Pick<Messages, 'each' | 'search' | 'listNotes'> },
  { filter, query }: Selection,
): AsyncGenerator<MessageWithNotes[]> {
  const pages = query ? messages.search(splitWords(query), filter) : messages.each(filter, 'newest');
  for await (const page of pages) {
    const found = await messages.listNotes(page.map(({ reference }) => reference));
    const notes = Map.groupBy(found, ({ reference }) => reference);
    yield page.map(row => ({
      ...row,
      notes: (notes.get(row.reference) ?? []).map(({ created_at, text }) => ({ created_at, text })),
    }));
  }
}

export function countQuarantined(
  { messages }: { messages: Pick<Messages, 'count'> },
  filter: Omit<MessageFilter, 'state'>,
): Promise<number> {
  return messages.count({ ...filter, state: 'quarantined' });
}

const maxDeliveries = 100;

type GetDeps = {
  messages: Pick<Messages, 'get' | 'listNotes'>;
  outbox: Pick<Outbox, 'list' | 'listAttempts'>;
  messageContext: MessageContext | undefined;
};

/** Nothing is found of what is erased. */
export type AboutMessage = Pick<MessageContext, 'title' | 'heading' | 'erased'> & {
  found: FoundContext | undefined;
};

type FoundMessage = {
  message: MessageRow;
  notes: NoteRow[];
  deliveries: Delivery[];
  attempts: AttemptRow[];
  /** Undefined where it is about nothing. */
  about: AboutMessage | undefined;
};

export async function getMessage(
  { messages, outbox, messageContext }: GetDeps,
  reference: string,
): Promise<FoundMessage | undefined> {
  const message = await messages.get(reference);
  if (!message) return undefined;
  const [notes, deliveries, attempts, about] = await Promise.all([
    messages.listNotes([reference]),
    outbox.list({ reference }, maxDeliveries),
    outbox.listAttempts(reference),
    readAbout(messageContext, message.audit_report),
  ]);
  const byReceiver = deliveries.toSorted((a, b) => (a.receiver < b.receiver ? -1 : 1));
  return { message, notes, deliveries: byReceiver, attempts, about };
}

async function readAbout(
  context: MessageContext | undefined,
  id: string | null,
): Promise<AboutMessage | undefined> {
  return context && id !== null ? { ...context, found: await context.find(id) } : undefined;
}

type DeliveryInput = Pick<DeliveryFilter, 'states' | 'receiver'> & { limit: number };

export async function listDeliveries(
  { outbox }: { outbox: Pick<Outbox, 'list' | 'count'> },
  { states, receiver, limit }: DeliveryInput,
): Promise<Total & { deliveries: Delivery[] }> {
  const filter: DeliveryFilter = states
    ? { states, receivers: receiver ? [receiver] : receiverNames }
    : { kinds: ['message', 'notice'], ...(receiver && { receiver }) };
  const [deliveries, total] = await Promise.all([
    outbox.list(filter, limit),
    countUpTo(max => outbox.count(filter, max)),
  ]);
  return { deliveries, ...total };
}

export function countFailedDeliveries({ outbox }: { outbox: Pick<Outbox, 'count'> }): Promise<number> {
  return outbox.count({ states: ['failed'] });
}

const maxCounted = 10_000;

async function countUpTo(count: (max: number) => Promise<number>): Promise<Total> {
  const counted = await count(maxCounted + 1);
  return { total: Math.min(counted, maxCounted), isTotalExact: counted <= maxCounted };
}
