import type { ReportCounts } from '../../core/database/report-counts.ts';
import type { Figure, FigureSource, Week } from '../../core/figures/figure.ts';
import { orNone, selectWeek, sum } from '../../core/figures/weeks.ts';

type Needs = { domainDeps: { reportCounts: Pick<ReportCounts, 'countSubscriberChanges'> } };

export const newsletterFigures: FigureSource<Needs> = {
  read: async ({ domainDeps }, weeks) => [await countSubscribers(domainDeps.reportCounts, weeks)],
};

async function countSubscribers(
  reportCounts: Needs['domainDeps']['reportCounts'],
  weeks: readonly Week[],
): Promise<Figure> {
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
