import { type Drawn, formatDay, formatNumber, type Mark, type Plot } from '../plot.ts';
import { bars, frameWeeks } from '../svg.ts';
import type { Week } from '../weeks.ts';

/** From the ground up. */
const layers: { name: string; mark: Mark; count(week: Week): number }[] = [
  { name: 'Taken in', mark: 'main', count: ({ counts }) => counts.new ?? 0 },
  {
    name: 'Put aside',
    mark: 'attention',
    count: ({ counts }) => (counts.quarantined ?? 0) + (counts.spam ?? 0),
  },
  { name: 'Empty', mark: 'faint', count: ({ counts }) => counts.empty ?? 0 },
];

export const messagesPerWeek: Plot = async ({ weeks: { weeks, outside } }) => {
  const totals = weeks.map(week => layers.reduce((sum, { count }) => sum + count(week), 0));
  const all = totals.reduce((sum, total) => sum + total, 0) + outside;
  const largest = Math.max(0, ...totals);
  const busiest = weeks[totals.indexOf(largest)]?.monday;
  const drawn: Drawn = {
    id: 'messages-per-week',
    title: 'Messages per week',
    shows: `Every message that is kept, by the week it came in.${outside > 0 ? ` ${formatNumber(outside)} older ones are not drawn.` : ''}`,
    headline: { value: formatNumber(all), label: all === 1 ? 'message' : 'messages' },
    empty: 'Nothing yet: no message is kept.',
    table: {
      caption: 'Messages by the week they came in',
      head: ['Week from', ...layers.map(({ name }) => name), 'Together'],
      rows: weeks.map((week, index) => [
        week.monday,
        ...layers.map(({ count }) => formatNumber(count(week))),
        formatNumber(totals[index] ?? 0),
      ]),
    },
  };
  if (largest === 0) return drawn;
  return {
    ...drawn,
    picture: {
      summary: `${formatNumber(all)} messages. The most in one week, ${formatNumber(largest)}, in the week from ${formatDay(busiest ?? '')}.`,
      legend: layers,
      draw(width) {
        const frame = frameWeeks(
          width,
          weeks.map(({ monday }) => monday),
          { largest, format: formatNumber },
        );
        let grounds = weeks.map(() => 0);
        const shapes = layers.map(({ mark, count }) => {
          const tops = weeks.map((week, index) => (grounds[index] ?? 0) + count(week));
          const spans = tops.map((to, index) => ({ from: grounds[index] ?? 0, to }));
          grounds = tops;
          return bars(frame, mark, spans);
        });
        return { height: frame.height, body: frame.axes + shapes.join('') };
      },
    },
  };
};
