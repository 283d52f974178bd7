import type { Notice } from '../../../core/desk/page.ts';
import type { ChangeCounts, ChangeName } from './change-messages.ts';

const site = 'The site sends it as soon as it runs.';

type Unchanged = Omit<ChangeCounts, 'changed' | 'paused'>;
type DoneName = ChangeName | 'note' | 'delete';

const done: Record<DoneName, { one: string; many(count: string): string }> = {
  answer: { one: 'Marked as answered.', many: count => `${count} messages marked as answered.` },
  close: { one: 'Closed.', many: count => `${count} messages closed.` },
  reopen: { one: 'Marked as new again.', many: count => `${count} messages marked as new again.` },
  spam: {
    one: 'Moved to spam. What was not delivered yet is cancelled.',
    many: count => `${count} messages moved to spam. What was not delivered yet is cancelled.`,
  },
  release: {
    one: `Released. ${site}`,
    many: count => `${count} messages released. The site sends them as soon as it runs.`,
  },
  retry: {
    one: `To be delivered again now. ${site}`,
    many: count => `${count} messages to be delivered again now. The site sends them as soon as it runs.`,
  },
  delete: { one: 'Deleted for good.', many: count => `${count} messages deleted for good.` },
  note: { one: 'Note added.', many: count => `${count} notes added.` },
};

/** Such as `done=close&changed=2&gone=1`, which readNotice reads. */
export function toResult(name: DoneName, counts: Partial<ChangeCounts>): string {
  const shown = Object.entries(counts).flatMap(([one, count]) => (count > 0 ? `&${one}=${count}` : []));
  return `done=${name}${shown.join('')}`;
}

/** Only names and numbers are read, so that no link can show a text of its own. */
export function readNotice(query: URLSearchParams): { notice?: Notice } {
  const name = query.get('done') ?? '';
  if (!Object.hasOwn(done, name)) return {};
  const changed = readCount(query, 'changed');
  const { one, many } = done[name as DoneName];
  const unchanged = Object.entries(unchangedReasons).flatMap(([kind, describe]) => {
    const count = readCount(query, kind);
    if (count === 0) return [];
    const isAlone = changed === 0 && count === 1;
    return `${isAlone ? 'Not' : `${count.toLocaleString('en-GB')} not`} changed: ${describe(count, name)}.`;
  });
  const texts = [
    ...(changed > 0 ? [changed === 1 ? one : many(changed.toLocaleString('en-GB'))] : []),
    ...(readCount(query, 'paused') > 0 ? [paused] : []),
    ...unchanged,
  ];
  return texts.length > 0 ? { notice: { kind: changed > 0 ? 'done' : 'failed', text: texts.join(' ') } } : {};
}

const paused =
  'Due again, but a receiver is paused and gets nothing: choose ‘Try again now’ at it under Health.';

const unchangedReasons: Record<keyof Unchanged, (count: number, name: string) => string> = {
  held: count => `release ${count === 1 ? 'it' : 'them'} from quarantine or spam first`,
  left: (_, name) => leftReasons[name] ?? 'an empty message can only be deleted',
  gone: () => 'deleted meanwhile',
};

const leftReasons: Record<string, string> = {
  retry: 'nothing was left to deliver',
  release: 'nothing was left to release',
};

function readCount(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? '';
  return /^\d{1,7}$/.test(text) ? Number(text) : 0;
}
