import type { Notice } from '../pages.ts';
import type { ChangeName } from './props.ts';

const site = 'The site sends it as soon as it runs.';

const done: Record<ChangeName | 'note' | 'delete', { one: string; many(count: string): string }> = {
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

/** From `?done=NAME&changed=2&left=1`: only names and numbers are read, so that no link can show a text of its own. */
export function readNotice(query: URLSearchParams): { notice?: Notice } {
  const name = query.get('done') ?? '';
  if (!Object.hasOwn(done, name)) return {};
  const [changed, left] = [readCount(query, 'changed'), readCount(query, 'left')];
  const { one, many } = done[name as ChangeName];
  const texts = [
    ...(changed > 0 ? [changed === 1 ? one : many(changed.toLocaleString('en-GB'))] : []),
    ...(left > 0 ? [describeLeft(left, name, changed === 0)] : []),
  ];
  return texts.length > 0 ? { notice: { kind: changed > 0 ? 'done' : 'failed', text: texts.join(' ') } } : {};
}

function describeLeft(left: number, name: string, isAll: boolean): string {
  const reason = name === 'retry' ? 'nothing was left to deliver' : 'deleted or changed meanwhile';
  const isOne = isAll && left === 1;
  return isOne ? `Not changed: ${reason}.` : `${left.toLocaleString('en-GB')} not changed: ${reason}.`;
}

function readCount(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? '';
  return /^\d{1,7}$/.test(text) ? Number(text) : 0;
}
