import type { CountedTime, ReportCounts } from '../../store/report-counts.ts';
import { messageReceivers } from '../messages/read-inbox.ts';
import { type Figure, listWeeks, share, sum, type Week } from './figure.ts';
import { type CountedMessages, countByForm, countByService, countByWeek } from './message-figures.ts';

type FigureDeps = { reportCounts: ReportCounts };
type FigureInput = { services: readonly string[]; now: Date; weeks: number };

/** Numbers only: no names, addresses or texts of visitors. */
export async function readFigures(
  { reportCounts }: FigureDeps,
  { services, now, weeks: count }: FigureInput,
): Promise<Figure[]> {
  const weeks = listWeeks(now, count);
  const messages: CountedMessages[] = [];
  for (const { from, before } of weeks)
    messages.push(await reportCounts.countMessages(from, before, services));
  const { from = '' } = weeks[0] ?? {};
  const { before = '' } = weeks.at(-1) ?? {};
  return [
    countByWeek(weeks, messages),
    countByForm(weeks, messages),
    countByService(weeks, messages),
    measureAnswers(messages.flat(), await reportCounts.countAnswerTimes(from, before)),
    await countAudits(reportCounts, weeks, messages, now),
    await countSubscribers(reportCounts, weeks),
    await measureDeliveries(reportCounts, from, before),
  ];
}

const hour = 3600;
const day = 24 * hour;
const answerSteps: [string, number][] = [
  ['an hour', hour],
  ['4 hours', 4 * hour],
  ['a day', day],
  ['3 days', 3 * day],
  ['a week', 7 * day],
  ['longer than a week', Infinity],
];

function measureAnswers(messages: CountedMessages, times: readonly CountedTime[]): Figure {
  const countStates = (...states: string[]) => sum(messages.filter(({ state }) => states.includes(state)));
  const all = countStates('new', 'answered', 'closed');
  const open = countStates('new');
  const steps = answerSteps.map(([name, max], index) => {
    const min = answerSteps[index - 1]?.[1] ?? -Infinity;
    return [name, sum(times.filter(({ seconds }) => seconds > min && seconds <= max))] as const;
  });
  const rows = [
    ...steps,
    ['closed without an answer', Math.max(0, all - open - sum(times))] as const,
    ['not answered yet', open] as const,
  ];
  return {
    id: 'answers',
    title: 'Answered within',
    sentence:
      'How long accepted messages waited until they were marked as answered, by the clock, nights and weekends included.',
    columns: ['Answered within', 'Messages', 'Share in percent'],
    rows: all === 0 ? [] : rows.map(([name, count]) => [name, count, share(count, all)]),
    plot: { kind: 'bars', drawn: [1] },
  };
}

const reportDays = 30;

async function countAudits(
  reportCounts: ReportCounts,
  weeks: Week[],
  messages: CountedMessages[],
  now: Date,
): Promise<Figure> {
  const days = await reportCounts.countAudits();
  const oldest = new Date(now.getTime() - reportDays * day * 1000).toISOString().slice(0, 10);
  const rows = weeks.map(({ from, before }, index) => {
    const audits = sum(days.filter(one => one.day >= from && one.day < before));
    const sent = (messages[index] ?? []).filter(({ state, isAudit }) => isAudit && state !== 'spam');
    return [from, audits, sum(sent)];
  });
  return {
    id: 'audits',
    title: 'Free audits',
    sentence: `Audits that visitors ran, and messages that came with a report. A report is erased after ${reportDays} days or when the visitor deletes it, so earlier weeks are not known.`,
    columns: ['Week from', 'Audits', 'Messages with a report'],
    rows: trimEmpty(rows.filter(([from]) => String(from) >= oldest)),
    plot: { kind: 'part', drawn: [1, 2] },
  };
}

async function countSubscribers(reportCounts: ReportCounts, weeks: Week[]): Promise<Figure> {
  const days = await reportCounts.countSubscriberChanges();
  const rows = weeks.map(({ from, before }) => {
    const countChanges = (change: string, since = '') =>
      sum(days.filter(one => one.change === change && one.day >= since && one.day < before));
    const all = countChanges('confirmed') - countChanges('ended');
    return [from, countChanges('confirmed', from), countChanges('ended', from), all];
  });
  return {
    id: 'subscribers',
    title: 'Newsletter subscribers',
    sentence: 'Confirmed subscribers at the end of each week, without those erased since.',
    columns: ['Week from', 'Confirmed', 'Left', 'Subscribers'],
    rows: trimEmpty(rows),
    plot: { kind: 'line', drawn: [3] },
  };
}

async function measureDeliveries(reportCounts: ReportCounts, from: string, before: string): Promise<Figure> {
  const rows: Figure['rows'] = [];
  for (const receiver of messageReceivers) {
    const times = await reportCounts.countDeliveryTimes(receiver, from, before);
    const within = [0.5, 0.9, 0.99].map(part => findQuantile(times, part));
    if (times.length > 0) rows.push([receiver, sum(times), ...within]);
  }
  return {
    id: 'deliveries',
    title: 'Delivery time',
    sentence: 'From receipt of a message to its delivery, in seconds.',
    columns: ['Receiver', 'Delivered', 'Half within', '90 % within', '99 % within'],
    rows,
    plot: { kind: 'range', drawn: [2, 3, 4] },
  };
}

/** The time within which this part of them ended. */
function findQuantile(times: readonly CountedTime[], part: number): number {
  const sorted = times.toSorted((a, b) => a.seconds - b.seconds);
  const wanted = Math.ceil(part * sum(times));
  let seen = 0;
  for (const { seconds, count } of sorted) {
    seen += count;
    if (seen >= wanted) return seconds;
  }
  return 0;
}

/** Weeks before the first number, and all of them if there is none. */
function trimEmpty(rows: Figure['rows']): Figure['rows'] {
  const first = rows.findIndex(([, ...numbers]) => numbers.some(number => Number(number) > 0));
  return first < 0 ? [] : rows.slice(first);
}
