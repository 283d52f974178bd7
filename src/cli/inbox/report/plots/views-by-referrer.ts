import { type Drawn, formatNumber, type Plot } from '../plot.ts';
import { rank, recentDays, recentSince } from '../ranks.ts';
import { drawRows } from '../rows.ts';

export const viewsByReferrer: Plot = async ({ figures, now }) => {
  const found = await figures.countReferrers(recentSince(now));
  const { total, rows, cells } = rank(found.map(({ referrer, count }) => ({ name: referrer, count })));
  const drawn: Drawn = {
    id: 'views-by-referrer',
    title: 'Sites that led here',
    shows: `Views of the last ${recentDays} days that a link on another site led to, as browsers tell it. Most links in mails, and addresses that somebody typed, name no site.`,
    headline: {
      value: formatNumber(found.length),
      label: found.length === 1 ? 'site led here' : 'sites led here',
    },
    empty: 'Nothing yet: no other site led here.',
    table: {
      caption: `Views of the last ${recentDays} days, by the site that led to them`,
      head: ['Site', 'Views', 'Share'],
      rows: cells,
    },
  };
  if (total === 0) return drawn;
  return {
    ...drawn,
    picture: {
      summary: `Most came from ${rows[0]?.name}: ${rows[0]?.text} of ${formatNumber(total)} views.`,
      legend: [],
      draw: width => drawRows(width, rows),
    },
  };
};
