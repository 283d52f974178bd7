import { type Drawn, formatNumber, type Plot } from '../plot.ts';
import { rank, recentDays, recentSince } from '../ranks.ts';
import { drawRows } from '../rows.ts';

export const viewsByPage: Plot = async ({ figures, now }) => {
  const found = await figures.countPages(recentSince(now));
  const { total, rows, cells } = rank(
    found.map(({ path, count }) => ({ name: path === '/404' ? 'Not there (404)' : path, count })),
  );
  const drawn: Drawn = {
    id: 'views-by-page',
    title: 'Pages',
    shows: `What was read in the last ${recentDays} days.`,
    empty: 'Nothing yet: no view was counted.',
    table: {
      caption: `Views of the last ${recentDays} days, by page`,
      head: ['Page', 'Views', 'Share'],
      rows: cells,
    },
  };
  if (total === 0) return drawn;
  return {
    ...drawn,
    picture: {
      summary: `Most read: ${rows[0]?.name}, ${rows[0]?.text} of ${formatNumber(total)} views.`,
      legend: [],
      draw: width => drawRows(width, rows),
    },
  };
};
