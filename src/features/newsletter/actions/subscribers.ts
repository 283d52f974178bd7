import { readFileSync, statSync } from 'node:fs';
import * as v from 'valibot';
import {
  actionsNeeding,
  type DepsOf,
  describeShown,
  field,
  flag,
  limit,
  optional,
  type Printed,
  Refusal,
  since,
  time,
} from '../../../core/action.ts';
import { explainFileError } from '../../../lib/error-message.ts';
import { formatCount } from '../../../lib/format-count.ts';
import { deletePendingSubscribers, listPendingRequests } from '../delete-pending-subscribers.ts';
import { eraseSubscriber } from '../erase-subscriber.ts';
import { exportSubscribers, listSubscribers, readConsent } from '../export-subscribers.ts';
import { type AddressList, importSubscribers, readAddressList } from '../import-subscribers.ts';
import { suppressSubscriber, unsuppressSubscriber } from '../suppress-subscriber.ts';

const defineAction = actionsNeeding<{
  domainDeps: DepsOf<
    | typeof listSubscribers
    | typeof exportSubscribers
    | typeof importSubscribers
    | typeof suppressSubscriber
    | typeof unsuppressSubscriber
    | typeof eraseSubscriber
    | typeof listPendingRequests
    | typeof deletePendingSubscribers
  >;
  config: { newsletter: { maxPerHour: number } };
}>();

const states = ['pending', 'confirmed', 'unsubscribed', 'suppressed'] as const;
const state = optional('--state <name>', 'filter by state', v.picklist(states));

export const list = defineAction({
  name: 'list',
  about: 'list subscribers',
  examples: ['--state confirmed'],
  input: v.object({ state, limit }),
  run: ({ domainDeps }, input) => listSubscribers(domainDeps, input),
  print: ({ total, subscribers }) => [
    subscribers.map(row => ({
      address: row.address ?? '(erased)',
      state: row.suppression_reason ? `${row.state} (${row.suppression_reason})` : row.state,
      form: readConsent(row).form,
      requested: readConsent(row).consent_requested_at,
      confirmed: row.confirmed_at,
      unsubscribed: row.unsubscribed_at,
      suppressed: row.suppressed_at,
    })),
    total > subscribers.length && describeShown(subscribers.length, total),
    total === 0 && 'No subscribers found',
  ],
});

export const exportList = defineAction({
  name: 'export',
  about: 'write all subscribers to standard output (use npm run -s)',
  examples: ['--csv > list.csv'],
  input: v.pipe(
    v.object({
      csv: flag('--csv', 'CSV for spreadsheets'),
      state,
      /** A part of the address, at the desk. */
      text: v.optional(v.string(), ''),
    }),
    v.check(({ csv }) => csv, 'export requires --csv'),
  ),
  async run({ domainDeps }, { state, text }) {
    const result = {
      withoutAddress: 0,
      parts: exportSubscribers(domainDeps, { state, text }, () => ++result.withoutAddress),
    };
    return result;
  },
  file: ({ parts }) => parts,
  print: ({ withoutAddress }) => [
    withoutAddress > 0 && `Not exported, because only a hash of the address is stored: ${withoutAddress}`,
  ],
});

const maxFileBytes = 16 * 1024 * 1024;

function readList(file: string): AddressList {
  try {
    if (statSync(file).size > maxFileBytes) throw new Error('it is larger than 16 MB; import it in parts');
    return readAddressList(readFileSync(file));
  } catch (error) {
    throw new Refusal(`cannot read ${file}: ${explainFileError(error)}`);
  }
}

const maxShownLines = 100;

export const importList = defineAction({
  name: 'import',
  about: 'send a confirmation request to every new address in a file',
  examples: ['list.csv', 'list.csv --dry-run'],
  input: v.object({
    list: field(
      '<file>',
      'CSV with an email column, or one address per line',
      v.pipe(v.string(), v.transform(readList)),
    ),
    dryRun: flag('--dry-run', 'show what would be imported'),
  }),
  async confirm({ domainDeps }, { list: { addresses, invalidLines, optedOut }, dryRun }) {
    const { added, ...known } = await importSubscribers(domainDeps, addresses, { isDryRun: true });
    const more = invalidLines.length > maxShownLines ? ' and others' : '';
    return {
      shows: [
        [
          {
            'to confirm': added,
            'already subscribed': known.subscribed,
            unsubscribed: known.unsubscribed,
            suppressed: known.suppressed,
            duplicate: known.repeated,
            invalid: invalidLines.length,
          },
        ],
        invalidLines.length > 0 &&
          `Invalid addresses on lines: ${invalidLines.slice(0, maxShownLines).join(', ')}${more}`,
        optedOut > 0 && `Skipped, because the file lists them as unsubscribed or suppressed: ${optedOut}`,
      ],
      text: !dryRun && added > 0 ? `Send ${formatCount(added, 'confirmation mail')}?` : undefined,
      otherwise: 'Nothing was imported',
    };
  },
  async run({ domainDeps, config }, { list: { addresses, ...list }, dryRun }) {
    const counts = await importSubscribers(domainDeps, addresses, { isDryRun: dryRun });
    const isImported = !dryRun && counts.added > 0;
    return { isImported, ...counts, ...list, perHour: getImportsPerHour(config.newsletter) };
  },
  print: ({ isImported, added, perHour }, { dryRun }) => [
    dryRun
      ? 'Dry run: nothing was changed'
      : isImported
        ? `${formatCount(added, 'confirmation mail')} queued. At most ${perHour} an hour are sent (four fifths of ` +
          `NEWSLETTER_MAX_PER_HOUR), so the last leaves in about ${formatCount(Math.ceil(added / perHour), 'hour')}.`
        : 'No new addresses to import',
  ],
  json: ({ perHour: _, ...result }) => result,
  exitCode: ({ invalidLines }) => Number(invalidLines.length > 0),
});

/** A fifth is reserved for visitors. */
export function getImportsPerHour({ maxPerHour }: { maxPerHour: number }): number {
  return maxPerHour - Math.floor(maxPerHour / 5);
}

const ofAddress = {
  examples: ['zoe@example.com'],
  input: v.object({ address: field('<address>', '', v.string()) }),
};

function toJson({ kind: result, ...rest }: { kind: string }, { address }: { address: string }) {
  return { address, result, ...rest };
}

function describeOutcome(kind: string, address: string, ...texts: Printed[]): Printed[] {
  return kind === 'invalid address' ? [{ error: `'${address}' is not a valid email address` }] : texts;
}

export const suppress = defineAction({
  ...ofAddress,
  name: 'suppress',
  about: 'stop all mail to an address',
  run: ({ domainDeps }, { address }) => suppressSubscriber(domainDeps, address, 'owner'),
  json: toJson,
  print({ kind }, { address }) {
    const done = `suppressed. To undo: npm run newsletter -- unsuppress ${address}`;
    return describeOutcome(
      kind,
      address,
      `${address} ${kind === 'suppressed' ? done : 'is already suppressed'}`,
    );
  },
});

const unsuppressedTexts = {
  confirmed: 'is confirmed again and receives the next issue.',
  unsubscribed: 'is no longer suppressed. It is unsubscribed: only its owner can sign up again.',
  deleted: 'is no longer suppressed; nothing else is stored about it.',
} as const;

export const unsuppress = defineAction({
  ...ofAddress,
  name: 'unsuppress',
  about: 'allow mail to an address again',
  run: ({ domainDeps }, { address }) => unsuppressSubscriber(domainDeps, address),
  json: (result, input) => toJson(result, input),
  print(result, { address }) {
    if (result.kind === 'unsuppressed') return [`${address} ${unsuppressedTexts[result.state]}`];
    return describeOutcome(result.kind, address, { error: `${address} is not suppressed` });
  },
});

export const erase = defineAction({
  ...ofAddress,
  name: 'erase',
  about: 'erase an address from the newsletter',
  run: ({ domainDeps }, { address }) => eraseSubscriber(domainDeps, address),
  json: toJson,
  print({ kind }, { address }) {
    if (kind === 'unknown') return [{ error: `no data found for ${address}` }];
    const kept = 'A keyed hash remains, so that no import adds it again.';
    const more = `To erase messages and mail files as well: npm run privacy -- erase ${address}`;
    return describeOutcome(kind, address, `${address} erased from the newsletter. ${kept}`, more);
  },
});

type Pending = { signUps: number; subscribers: number };

const describePending = ({ signUps, subscribers }: Pending) =>
  `${formatCount(signUps, 'waiting sign-up')} and ${formatCount(subscribers, 'pending subscriber')}`;

const shownIdLength = 'ipv6:'.length + 10;

const network = /^(ipv[46](:[\w-]{10,43})?|unknown)?$/;

const filter = {
  since,
  until: field(
    '--until <time>',
    'same formats as --since',
    v.optional(time, () => new Date().toISOString()),
  ),
  network: optional(
    '--network <class>',
    'ipv4, ipv6, or a network from the list',
    v.pipe(v.string(), v.regex(network, 'Expected ipv4, ipv6, unknown or a network from the list.')),
  ),
};

type Filter = v.InferOutput<v.ObjectSchema<typeof filter, undefined>>;

const toFilter = ({ since = '', until, network = '' }: Filter) => ({ since, until, network });

export const dropPending = defineAction({
  name: 'drop-pending',
  about: 'list unconfirmed sign-ups by network, and delete them',
  examples: ['--since 24h'],
  input: v.object({ ...filter, limit }),
  async confirm({ domainDeps }, { limit, ...given }) {
    const { networks, total } = await listPendingRequests(domainDeps, { ...toFilter(given), limit });
    const isEmpty = total.signUps + total.subscribers === 0;
    return {
      shows: [
        networks.map(({ network, signUps, subscribers, first, last }) => ({
          network: network.slice(0, shownIdLength),
          'sign-ups': signUps,
          'pending subscribers': subscribers,
          first,
          last,
        })),
        networks.length === limit &&
          `Showing the ${limit} networks with the most requests; --limit shows more.`,
        !isEmpty &&
          `${describePending(total)}. Confirmed subscribers and imported addresses are not included.`,
      ],
      text: isEmpty ? undefined : 'Delete them?',
      otherwise: 'Nothing was deleted',
    };
  },
  async run({ domainDeps }, { limit, ...given }) {
    const { networks } = await listPendingRequests(domainDeps, { ...toFilter(given), limit });
    const shown = networks.map(one => ({ ...one, network: one.network.slice(0, shownIdLength) }));
    return { networks: shown, dropped: await deletePendingSubscribers(domainDeps, toFilter(given)) };
  },
  print: ({ dropped }) => [
    dropped.signUps + dropped.subscribers === 0
      ? 'No pending requests found. Nothing was deleted.'
      : `Deleted: ${describePending(dropped)}, with their unsent confirmation mails`,
  ],
});
