import type { ReportCounts } from '../../store/report-counts.ts';
import { messageReceivers } from './read-inbox.ts';

export type Statistic = { title: string; sentence: string; columns: string[]; rows: Row[] };
type Row = { cells: (string | number)[]; bar: number };

type Week = { from: string; before: string };
type Messages = Awaited<ReturnType<ReportCounts['countMessages']>>;

const dayMs = 24 * 60 * 60 * 1000;
const weeksShown = 52;
const accepted = ['new', 'answered', 'closed'];
const period = `in the last ${weeksShown} weeks`;

export async function readStatistics(
  { reportCounts }: { reportCounts: ReportCounts },
  { services, now }: { services: readonly string[]; now: Date },
): Promise<Statistic[]> {
  const weeks = listWeeks(now);
  const messages: Messages[] = [];
  for (const { from, before } of weeks)
    messages.push(await reportCounts.countMessages(from, before, services));
  return [
    countByWeek(weeks, messages),
    countByService(messages.flat()),
    await measureDeliveries(reportCounts, weeks),
    await countFailed(reportCounts),
    await countSubscribers(reportCounts, weeks),
  ];
}

function countByWeek(weeks: Week[], messages: Messages[]): Statistic {
  const rows = weeks.map(({ from }, index) => {
    const ofWeek = messages[index] ?? [];
    const countStates = (...states: string[]) => sum(ofWeek.filter(({ state }) => states.includes(state)));
    const [quarantined, all] = [countStates('quarantined', 'spam'), sum(ofWeek)];
    return {
      cells: [
        from,
        countStates(...accepted),
        countStates('new'),
        quarantined,
        formatShare(quarantined, all),
        countStates('empty'),
        all,
      ],
      bar: all,
    };
  });
  return {
    title: 'Messages and quarantine',
    sentence: `Messages received ${period}. Messages released from quarantine count as accepted; open ones are neither answered nor closed.`,
    columns: ['Week from', 'Accepted', 'Open', 'Quarantine and spam', 'Share', 'Empty', 'All'],
    rows: trimTrailingEmptyRows(rows),
  };
}

function countByService(messages: Messages): Statistic {
  const counted = messages.filter(({ state }) => accepted.includes(state));
  const named = Map.groupBy(counted, ({ service }) =>
    service === null ? 'Other' : service || 'None chosen',
  );
  const services = [...named].map(([name, rows]) => ({ name, count: sum(rows) }));
  return {
    title: 'Services',
    sentence: `Accepted messages ${period}, by the service chosen in the form.`,
    columns: ['Service', 'Messages', 'Share'],
    rows: services
      .sort((a, b) => b.count - a.count || a.name.localeCompare(b.name))
      .map(({ name, count }) => ({ cells: [name, count, formatShare(count, sum(counted))], bar: count })),
  };
}

async function measureDeliveries(reportCounts: ReportCounts, weeks: Week[]): Promise<Statistic> {
  const rows: Row[] = [];
  for (const receiver of messageReceivers) {
    const byWeek: number[][] = [];
    for (const { from, before } of weeks)
      byWeek.push(await reportCounts.listDeliveryTimes(receiver, from, before));
    const times = byWeek.flat().sort((a, b) => a - b);
    const within = (share: number) => times[Math.ceil(share * times.length) - 1] ?? 0;
    const cells = [0.5, 0.9, 0.99].map(share => formatDuration(within(share)));
    if (times.length > 0) rows.push({ cells: [receiver, times.length, ...cells], bar: within(0.5) });
  }
  return {
    title: 'Delivery time',
    sentence: `From receipt of a message to its delivery, ${period}. The bar shows the median.`,
    columns: ['Receiver', 'Delivered', 'Half within', '90 % within', '99 % within'],
    rows,
  };
}

async function countFailed(reportCounts: ReportCounts): Promise<Statistic> {
  const queues = await reportCounts.countQueues([...messageReceivers, 'confirmations', 'newsletter']);
  return {
    title: 'Failed deliveries',
    sentence:
      'Deliveries that failed for about three days or were rejected; npm run inbox -- deliveries --failed lists them.',
    columns: ['Receiver', 'Failed'],
    rows: queues
      .filter(({ failed }) => failed > 0)
      .map(({ receiver, failed }) => ({ cells: [receiver, failed], bar: failed })),
  };
}

async function countSubscribers(reportCounts: ReportCounts, weeks: Week[]): Promise<Statistic> {
  const days = await reportCounts.countSubscriberChanges();
  const rows = weeks.map(({ from, before }) => {
    const countChanges = (change: string, since = '') =>
      sum(days.filter(one => one.change === change && one.day >= since && one.day < before));
    const all = countChanges('confirmed') - countChanges('ended');
    return { cells: [from, countChanges('confirmed', from), countChanges('ended', from), all], bar: all };
  });
  return {
    title: 'Newsletter subscribers',
    sentence: 'Confirmed subscribers at the end of each week, without those erased since.',
    columns: ['Week from', 'Confirmed', 'Left', 'Subscribers'],
    rows: trimTrailingEmptyRows(rows),
  };
}

export function listWeeks(now: Date): Week[] {
  const monday = now.getTime() - ((now.getUTCDay() + 6) % 7) * dayMs;
  const day = (weeksAgo: number) => new Date(monday - weeksAgo * 7 * dayMs).toISOString().slice(0, 10);
  return Array.from({ length: weeksShown }, (_, ago) => ({ from: day(ago), before: day(ago - 1) }));
}

function trimTrailingEmptyRows(rows: Row[]): Row[] {
  return rows.slice(0, rows.findLastIndex(({ bar }) => bar > 0) + 1);
}

function sum(rows: readonly { count: number }[]): number {
  return rows.reduce((all, { count }) => all + count, 0);
}

function formatShare(part: number, whole: number): string {
  return `${whole === 0 ? 0 : ((100 * part) / whole).toFixed(1)} %`;
}

function formatDuration(ms: number): string {
  if (ms < 100) return '< 0.1 s';
  const [minute, hour] = [60_000, 3_600_000];
  const [unit, name] =
    ms < minute ? [1000, 's'] : ms < hour ? [minute, 'min'] : ms < 2 * dayMs ? [hour, 'h'] : [dayMs, 'days'];
  const value = ms / unit;
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ${name}`;
}
