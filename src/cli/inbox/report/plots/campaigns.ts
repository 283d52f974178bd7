import { type Drawn, formatNumber, type Plot } from '../plot.ts';
import { recentDays, recentSince } from '../ranks.ts';
import { drawRows, type Row } from '../rows.ts';

const mostDrawn = 10;
const mostListed = 50;

export const campaigns: Plot = async ({ figures, now }) => {
  const found = await figures.countCampaigns(recentSince(now));
  const messages = found.reduce((sum, one) => sum + one.messages, 0);
  const rows: Row[] = found.slice(0, mostDrawn).map(({ source, medium, campaign, ...counts }) => ({
    name: [campaign, source, medium].filter(Boolean).join(', '),
    value: counts.views,
    text: `${formatNumber(counts.views)} · ${formatNumber(counts.messages)}`,
    mark: 'main',
  }));
  const drawn: Drawn = {
    id: 'campaigns',
    title: 'Campaigns',
    shows: `Links of the last ${recentDays} days with utm_source, utm_medium or utm_campaign in them: how many views they led to, and, after the dot, how many messages were sent during those visits.`,
    headline: {
      value: formatNumber(messages),
      label: messages === 1 ? 'message after a campaign' : 'messages after a campaign',
    },
    empty: 'Nothing yet: no link of a campaign was followed.',
    table: {
      caption: `Campaigns of the last ${recentDays} days${found.length > mostListed ? `, the first ${mostListed} of ${formatNumber(found.length)}` : ''}`,
      head: ['Campaign', 'Source', 'Medium', 'Views', 'Messages'],
      rows: found
        .slice(0, mostListed)
        .map(({ campaign, source, medium, views, messages: sent }) => [
          campaign || '–',
          source || '–',
          medium || '–',
          formatNumber(views),
          formatNumber(sent),
        ]),
      isPrinted: true,
    },
  };
  if (rows.length === 0) return drawn;
  return {
    ...drawn,
    picture: {
      summary: `${formatNumber(found.length)} campaigns. Most followed: ${rows[0]?.name}, ${formatNumber(rows[0]?.value ?? 0)} views and ${formatNumber(found[0]?.messages ?? 0)} messages.`,
      legend: [],
      draw: width => drawRows(width, rows),
    },
  };
};
