import type { ReportCounts } from '../database/report-counts.ts';
import type { Figure, Week } from './figure.ts';
import { orNone, selectWeek, sum } from './weeks.ts';

/** Of what is delivered to all receivers. */
export async function countFailures(
  reportCounts: Pick<ReportCounts, 'countFailures'>,
  receivers: readonly string[],
  weeks: readonly Week[],
): Promise<Figure> {
  const [from = '', before = ''] = [weeks[0]?.from, weeks.at(-1)?.before];
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
