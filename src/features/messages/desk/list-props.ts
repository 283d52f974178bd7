import type { DepsOf } from '../../../core/action.ts';
import type { Clock } from '../../../core/clock.ts';
import { revealControls } from '../../../lib/control-characters.ts';
import { formatNumber } from '../../../lib/format-number.ts';
import { formatMoment } from '../../../lib/format-time.ts';
import { countByState, findUndelivered, listMessages, type Total } from '../read-inbox.ts';
import { meanings } from '../score-message.ts';
import { type ListFilter, tabNames, toQuery, toSelection } from './list-filter.ts';

type ListedRow = NonNullable<Awaited<ReturnType<typeof listMessages>>>['messages'][number];

type ListDeps = DepsOf<typeof listMessages | typeof countByState | typeof findUndelivered>;

const pageLength = 50;
export const messagesPath = '/messages';

/** Undefined if the message before this page is no longer there. */
export async function buildListProps(
  { domainDeps, clock }: { domainDeps: ListDeps; clock: Clock },
  filter: ListFilter,
  services: string[],
) {
  const before = filter.before || undefined;
  const [page, counts] = await Promise.all([
    listMessages(domainDeps, { ...toSelection(filter), limit: pageLength, before }),
    countByState(domainDeps),
  ]);
  if (!page) return undefined;
  const { messages, next, total, isTotalExact } = page;
  const undelivered = await findUndelivered(
    domainDeps,
    messages.map(({ reference }) => reference),
  );
  const first = { ...filter, before: '' };
  const link = (changed: Partial<ListFilter>) => `${messagesPath}?${toQuery({ ...first, ...changed })}`;
  return {
    filter,
    query: toQuery(filter),
    tabs: tabNames.map(name => ({ name, path: link({ state: name }), count: formatNumber(counts[name]) })),
    newCount: counts.new > 0 ? formatNumber(counts.new) : '',
    messages: messages.map(row => ({
      ...describeRow(row, clock.now()),
      path: `${messagesPath}/${row.reference}?${toQuery(first)}`,
      isUndelivered: undelivered.has(row.reference),
    })),
    summary: describePage(messages.length, total === null ? undefined : { total, isTotalExact }),
    firstPath: before && link({}),
    nextPath: next ? link({ before: next }) : undefined,
    services: filter.service && !services.includes(filter.service) ? [...services, filter.service] : services,
    reasons: listReasons(),
  };
}

const maxExcerptLength = 180;

export function describeRow(row: ListedRow, now: Date) {
  const { reference, state, service, message, received_at, audit_report } = row;
  return {
    reference,
    state,
    sender: describeSender(row),
    excerpt: shorten(message, maxExcerptLength),
    service: shorten(service, 60),
    received: formatMoment(received_at, now),
    hasReport: audit_report !== null,
  };
}

export function describeSender({ name, email }: { name: string; email: string }): string {
  return shorten(name, 80) || shorten(email, 80) || 'No name';
}

function shorten(text: string, length: number): string {
  const line = revealControls(text.slice(0, 4 * length).trim()).replaceAll(/\s+/gu, ' ');
  const characters = [...line];
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : line;
}

export function listReasons() {
  return Object.entries(meanings).map(([name, text]) => ({ name, text }));
}

function describePage(shown: number, all: Total | undefined): string {
  if (all && all.total === shown) return shown === 1 ? '1 message' : `${shown} messages`;
  return all
    ? `${shown} of ${formatNumber(all.total)}${all.isTotalExact ? '' : '+'} messages`
    : `${shown} messages shown`;
}
