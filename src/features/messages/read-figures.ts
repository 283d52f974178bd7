import type { CountedTime, ReportCounts } from '../../core/database/report-counts.ts';
import type { Cell, Figure } from './figure.ts';
import { messageReceivers } from './receivers/receiver-types.ts';

type Week = { from: string; before: string };
type Counted = { count: number };
type CountedDay = Counted & { day: string };
type MessageCounts = Awaited<ReturnType<ReportCounts['countMessages']>>;

const dayMs = 24 * 60 * 60 * 1000;

/** Weeks begin on Monday, in UTC. The last one is the present week. */
export function listWeeks(now: Date, count: number): Week[] {
  const monday = now.getTime() - ((now.getUTCDay() + 6) % 7) * dayMs;
  const day = (weeksAgo: number) => new Date(monday - weeksAgo * 7 * dayMs).toISOString().slice(0, 10);
  return Array.from({ length: count }, (_, index) => {
    const ago = count - 1 - index;
    return { from: day(ago), before: day(ago - 1) };
  });
}

/** Numbers only: no names, addresses or texts of visitors. */
export async function readFigures(
  { reportCounts }: { reportCounts: ReportCounts },
  { now, weeks: count }: { now: Date; weeks: number },
): Promise<Figure[]> {
  const weeks = listWeeks(now, count);
  const [from = '', before = ''] = [weeks[0]?.from, weeks.at(-1)?.before];
  const messages = await reportCounts.countMessages(from, before);
  return [
    countMessages(weeks, messages),
    measureAnswers(messages, await reportCounts.countAnswerTimes(from, before)),
    await countSubscribers(reportCounts, weeks),
    await countFailures(reportCounts, weeks),
  ];
}

function countMessages(weeks: Week[], messages: MessageCounts): Figure {
  const rows = weeks.map(week => {
    const ofWeek = selectWeek(messages, week);
    const [answered, open, held] = [['answered', 'closed'], ['new'], ['quarantined', 'spam']].map(states =>
      countStates(ofWeek, states),
    );
    return [week.from, answered, open, held, countStates(ofWeek, ['empty']), sum(ofWeek)] as Cell[];
  });
  return {
    id: 'messages',
    title: 'Messages by outcome',
    summary: `${sum(messages)} received, ${countStates(messages, ['new'])} not answered yet`,
    sentence: 'Messages received. Those released from quarantine count as what became of them since.',
    columns: ['Week from', 'Answered or closed', 'Open', 'Quarantine and spam', 'Empty', 'All'],
    rows: orNone(rows),
    drawn: [1, 2, 3],
    isWeekly: true,
  };
}

const hour = 3600;
const day = 24 * hour;
const answerSteps: [string, number][] = [
  ['1 h', hour],
  ['4 h', 4 * hour],
  ['1 day', day],
  ['3 days', 3 * day],
  ['1 week', 7 * day],
  ['longer', Infinity],
];

function measureAnswers(messages: MessageCounts, times: readonly CountedTime[]): Figure {
  const all = countStates(messages, ['new', 'answered', 'closed']);
  const open = countStates(messages, ['new']);
  const steps = answerSteps.map(([name, max], index): [string, number] => {
    const min = answerSteps[index - 1]?.[1] ?? -Infinity;
    return [name, sum(times.filter(({ seconds }) => seconds > min && seconds <= max))];
  });
  const inADay = sum(times.filter(({ seconds }) => seconds <= day));
  const share = (count: number) => (all === 0 ? 0 : Math.round((1000 * count) / all) / 10);
  const rows = [...steps, ['closed', Math.max(0, all - open - sum(times))], ['open', open]] as const;
  return {
    id: 'answers',
    title: 'Time to answer',
    summary: `${Math.round(share(inADay))} % answered within a day`,
    sentence:
      'How long messages waited until they were marked as answered, by the clock, nights and weekends included. Closed: without an answer. Open: none yet.',
    columns: ['Answered within', 'Messages', 'Share in percent'],
    rows: all === 0 ? [] : rows.map(([name, count]) => [name, count, share(count)]),
    drawn: [1],
    isWeekly: false,
  };
}

async function countSubscribers(reportCounts: ReportCounts, weeks: Week[]): Promise<Figure> {
  const changes = await reportCounts.countSubscriberChanges();
  const [joined = [], left = []] = ['confirmed', 'ended'].map(change =>
    changes.filter(one => one.change === change),
  );
  const countAt = (before: string) =>
    sum(joined.filter(one => one.day < before)) - sum(left.filter(one => one.day < before));
  const rows = weeks.map(week => [
    week.from,
    countAt(week.before),
    sum(selectWeek(joined, week)),
    sum(selectWeek(left, week)),
  ]);
  const [start, end] = [countAt(weeks[0]?.from ?? ''), countAt(weeks.at(-1)?.before ?? '')];
  return {
    id: 'subscribers',
    title: 'Newsletter subscribers',
    summary: `${end} now, ${end < start ? '−' : '+'}${Math.abs(end - start)} in this period`,
    sentence: 'Confirmed subscribers at the end of each week, without those erased since.',
    columns: ['Week from', 'Subscribers', 'Confirmed', 'Left'],
    rows: orNone(rows),
    drawn: [1],
    isWeekly: true,
  };
}

async function countFailures(reportCounts: ReportCounts, weeks: Week[]): Promise<Figure> {
  const [from = '', before = ''] = [weeks[0]?.from, weeks.at(-1)?.before];
  const receivers = [...messageReceivers, 'confirmations', 'newsletter'];
  const failures = await reportCounts.countFailures(receivers, from, before);
  const failing = receivers.filter(name => failures.some(({ receiver }) => receiver === name));
  const rows = weeks.map(week => {
    const ofWeek = selectWeek(failures, week);
    const counts = failing.map(name => sum(ofWeek.filter(({ receiver }) => receiver === name)));
    return [week.from, sum(ofWeek), ...counts];
  });
  return {
    id: 'failures',
    title: 'Deliveries that failed',
    summary: `${sum(failures)} failed`,
    sentence: 'By the week in which the last try failed, without those that were tried again with success.',
    columns: ['Week from', 'Failed', ...failing],
    rows: orNone(rows),
    drawn: [1],
    isWeekly: true,
  };
}

function selectWeek<Row extends CountedDay>(rows: readonly Row[], { from, before }: Week): Row[] {
  return rows.filter(row => row.day >= from && row.day < before);
}

function countStates(messages: MessageCounts, states: string[]): number {
  return sum(messages.filter(({ state }) => states.includes(state)));
}

function sum(rows: readonly Counted[]): number {
  return rows.reduce((all, { count }) => all + count, 0);
}

/** No rows if nothing was counted in any of them. */
function orNone(rows: Cell[][]): Cell[][] {
  return rows.some(([, ...cells]) => cells.some(cell => Number(cell) > 0)) ? rows : [];
}
