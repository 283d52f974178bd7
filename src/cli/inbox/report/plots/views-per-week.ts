import { type Drawn, formatDay, formatNumber, type Plot } from '../plot.ts';
import { bars, frameWeeks } from '../svg.ts';
import { foldWeeks } from '../weeks.ts';

export const viewsPerWeek: Plot = async ({ figures, now }) => {
  const days = await figures.countViews();
  const { weeks } = foldWeeks(
    days.map(({ day, count }) => ({ day, name: 'views', count })),
    now,
  );
  const counts = weeks.map(({ monday, counts: { views = 0 } }) => ({ monday, views }));
  const all = days.reduce((sum, { count }) => sum + count, 0);
  const largest = Math.max(0, ...counts.map(({ views }) => views));
  const busiest = counts.find(({ views }) => views === largest)?.monday;
  const drawn: Drawn = {
    id: 'views-per-week',
    title: 'Views per week',
    shows:
      'How often pages were shown. Robots, and everybody who asked not to be counted, are in none of them, and nobody can say how many people the others were.',
    headline: { value: formatNumber(all), label: all === 1 ? 'view of a page' : 'views of pages' },
    empty: 'Nothing yet: no view was counted.',
    table: {
      caption: 'Views of pages, by week',
      head: ['Week from', 'Views'],
      rows: counts.map(({ monday, views }) => [monday, formatNumber(views)]),
    },
  };
  if (largest === 0) return drawn;
  return {
    ...drawn,
    picture: {
      summary: `${formatNumber(all)} views. The most in one week, ${formatNumber(largest)}, in the week from ${formatDay(busiest ?? '')}.`,
      legend: [],
      draw(width) {
        const mondays = counts.map(({ monday }) => monday);
        const frame = frameWeeks(width, mondays, { largest, format: formatNumber });
        const spans = counts.map(({ views }) => ({ from: 0, to: views }));
        return { height: frame.height, body: frame.axes + bars(frame, 'main', spans) };
      },
    },
  };
};
