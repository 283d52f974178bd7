import * as v from 'valibot';
import {
  actionsNeeding,
  type DepsOf,
  describeShown,
  field,
  flag,
  limit,
  optional,
  reference,
  since,
} from '../../../core/action.ts';
import type { Clock } from '../../../core/clock.ts';
import type { ReadFigures } from '../../../core/figures/figure.ts';
import { formatCount } from '../../../lib/format-count.ts';
import { formatMessages, omitIdempotencyKey } from '../format-messages.ts';
import { pickMessageFields } from '../message-fields.ts';
import { eachMessage, listMessages, type MessageWithNotes } from '../read-inbox.ts';
import { receiverNames } from '../receivers/receivers.ts';

const defineAction = actionsNeeding<{
  domainDeps: DepsOf<typeof listMessages | typeof eachMessage>;
  readFigures: ReadFigures;
  clock: Clock;
}>();

const states = ['new', 'answered', 'closed', 'quarantined', 'empty', 'spam'] as const;

export const deliveryStates = { failed: ['failed'], waiting: ['waiting', 'sending'] } as const;
export type DeliveryFilter = keyof typeof deliveryStates;

const filters = {
  since,
  state: optional('--state <name>', 'filter by state', v.picklist(states)),
  service: optional('--service <name>', 'filter by service, as named in the form', v.string()),
  search: optional(
    '--search <words>',
    'filter by words; ignores case and accents',
    v.pipe(v.string(), v.regex(/\S/, 'Expected at least one word.')),
  ),
  /** At the desk. */
  delivery: v.optional(v.picklist(['failed', 'waiting'])),
};

export type Filters = v.InferOutput<v.ObjectSchema<typeof filters, undefined>>;

export function selectMessages({ since, state, service, search: query, delivery }: Filters) {
  const filter = {
    ...(state && { state }),
    ...(service !== undefined && { service }),
    ...(since && { since }),
    ...(delivery && { delivery: { states: deliveryStates[delivery], receivers: receiverNames } }),
  };
  return { filter, query };
}

export const describeUnknown = (given = '') => ({ error: `no message with the reference ${given}` });

export function describeState({
  state,
  quarantine_reason: reason,
}: Record<'state' | 'quarantine_reason', string>) {
  return reason ? `${state} (${reason})` : state;
}

export const list = defineAction({
  name: 'list',
  about: 'list messages, newest first',
  examples: ['--state new', '--since 7d --search "penetration test"'],
  opens: 'database',
  input: v.object({
    ...filters,
    limit,
    before: optional('--before <reference>', 'show messages older than this one', reference),
  }),
  async run({ domainDeps }, { limit, before, ...given }) {
    const page = await listMessages(domainDeps, { ...selectMessages(given), limit, before });
    if (!page) return undefined;
    const { messages, ...rest } = page;
    return { ...rest, messages: messages.map(omitIdempotencyKey) };
  },
  print(page, { before, service }) {
    if (!page) return [describeUnknown(before)];
    const { messages, next, total, isTotalExact } = page;
    const isEmpty = messages.length === 0;
    return [
      messages.map(row => ({
        reference: row.reference,
        received: row.received_at,
        state: describeState(row),
        ...pickMessageFields(row),
      })),
      next !== null && `${describeShown(messages.length, total, isTotalExact)} Next page: --before ${next}`,
      isEmpty && (before ? 'No more messages' : 'No messages found'),
      isEmpty && !before && service !== undefined && '--service must match the name in the form exactly.',
    ];
  },
});

export const exportMessages = defineAction({
  name: 'export',
  about: 'write messages to a file, as CSV or JSON',
  examples: ['--csv messages.csv'],
  opens: 'database',
  input: v.pipe(
    v.object({
      ...filters,
      file: field('<file>', 'output file; - for standard output', v.string()),
      csv: flag('--csv', 'write CSV'),
      json: flag('--json', 'print JSON'),
      force: flag('--force', 'overwrite an existing file'),
    }),
    v.check(({ csv, json }) => csv !== json, 'export requires either --csv or --json'),
  ),
  async run({ domainDeps }, { csv, ...given }) {
    const result = { count: 0, parts: formatMessages(countPages(), csv ? 'csv' : 'json') };
    return result;

    async function* countPages(): AsyncGenerator<MessageWithNotes[]> {
      for await (const page of eachMessage(domainDeps, selectMessages(given))) {
        yield page;
        result.count += page.length;
      }
    }
  },
  file: ({ parts }) => parts,
  print: ({ count }, { file }) => [file !== '-' && `${formatCount(count, 'message')} exported to ${file}`],
});

const weeks = 52;

export const report = defineAction({
  name: 'report',
  about: 'print the figures of the last 52 weeks; the desk draws them',
  examples: [''],
  opens: 'database',
  input: v.object({}),
  run: ({ readFigures, clock }) => readFigures({ now: clock.now(), weeks }),
  json: figures => ({
    weeks,
    figures: figures.map(({ drawn: _, isWeekly: __, ...figure }) => figure),
  }),
  print: figures =>
    figures.flatMap(({ title, summary, columns, rows }) => [
      { lines: [rows.length === 0 ? title : `${title}: ${summary}`] },
      rows.map(row => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? '']))),
      { lines: rows.length === 0 ? ['None so far', ''] : [''] },
    ]),
});
