import { parse } from 'csv-parse/sync';
import { canonicalizeMailbox, type ParsedAddress, parseDeliverableAddress } from '../../lib/email-address.ts';
import { requestSubscription, type SignUpDeps } from './request-subscription.ts';
import type { Subscribers } from './subscribers.ts';

export type AddressList = {
  addresses: ParsedAddress[];
  invalidLines: number[];
  optedOut: number;
};

type ParsedRecord = { record: string[]; info: { lines: number } };

export function readAddressList(file: Uint8Array): AddressList {
  const records = parse(file, parsing) as unknown as ParsedRecord[];
  const [first] = records;
  if (!first) throw new Error('it is empty');
  // A file of customers may have a postal address before the email column.
  const column = emailColumns
    .map(pattern => first.record.findIndex(name => pattern.test(name)))
    .reduce((found, other) => (found < 0 ? other : found));
  if (column < 0 && first.record.length > 1) throw new Error("its first line names no column 'email'");
  const optOutColumns = first.record.flatMap((name, index) => (optOutColumn.test(name) ? [index] : []));
  const list: AddressList = { addresses: [], invalidLines: [], optedOut: 0 };
  for (const { record, info } of column < 0 ? records : records.slice(1)) {
    // Our own export writes an apostrophe before what could be a formula.
    const parsed = parseDeliverableAddress((record[Math.max(column, 0)] ?? '').replace(/^'(?=[=+-])/, ''));
    if (!parsed) list.invalidLines.push(info.lines);
    else if (optOutColumns.some(index => hasOptedOut.test(record[index] ?? ''))) list.optedOut++;
    else list.addresses.push(parsed);
  }
  return list;
}

const optOutColumn = /^(state|left_at|unsubscribed_at|suppressed_at)$/;
const hasOptedOut = /^(unsubscribed|suppressed|\d{4}-.*)$/;
const emailColumns = [/^e-?mail([ _-]?address)?$/i, /^address$/i];

const parsing = {
  delimiter: [',', ';', '\t'],
  bom: true,
  info: true,
  relax_column_count: true,
  skip_empty_lines: true,
  trim: true,
};

export type ImportDeps = SignUpDeps & { subscribers: Pick<Subscribers, 'findStates'> };

export type ImportCounts = Record<
  'added' | 'subscribed' | 'unsubscribed' | 'suppressed' | 'repeated',
  number
>;

/** Few at a time, so that an import takes no visitor's place in the queue. */
const batchSize = 50;

/** Skips addresses known in any state. An erased address is known by its hash. */
export async function importSubscribers(
  deps: ImportDeps,
  addresses: ParsedAddress[],
  { isDryRun }: { isDryRun: boolean },
): Promise<ImportCounts> {
  const counts = { added: 0, subscribed: 0, unsubscribed: 0, suppressed: 0, repeated: 0 };
  const byMailbox = new Map<string, ParsedAddress>();
  for (const parsed of addresses) {
    const mailbox = canonicalizeMailbox(parsed.lowerCaseAddress);
    if (byMailbox.has(mailbox)) counts.repeated++;
    else byMailbox.set(mailbox, parsed);
  }
  const list = [...byMailbox.values()];
  for (let start = 0; start < list.length; start += batchSize) {
    const batch = list.slice(start, start + batchSize);
    const getId = ({ lowerCaseAddress }: ParsedAddress) =>
      deps.newsletterKeys.subscriberPseudonym(lowerCaseAddress);
    const states = await deps.subscribers.findStates(batch.map(getId));
    const unknown = batch.filter(one => !states.has(getId(one)));
    for (const state of states.values())
      counts[state === 'pending' || state === 'confirmed' ? 'subscribed' : state]++;
    counts.added += unknown.length;
    if (isDryRun) continue;
    await Promise.all(
      unknown.map(({ address }) =>
        requestSubscription(deps, { email: address, form: 'import', consentTextId: '' }),
      ),
    );
  }
  return counts;
}
