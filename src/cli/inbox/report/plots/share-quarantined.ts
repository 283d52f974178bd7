import { type Drawn, formatShare, type Plot } from '../plot.ts';
import { bars, frameWeeks } from '../svg.ts';

export const shareQuarantined: Plot = async ({ weeks: { weeks } }) => {
  const shares = weeks.map(({ monday, counts }) => {
    const aside = (counts.quarantined ?? 0) + (counts.spam ?? 0);
    return { monday, aside, all: aside + (counts.new ?? 0) + (counts.empty ?? 0) };
  });
  const aside = shares.reduce((sum, week) => sum + week.aside, 0);
  const all = shares.reduce((sum, week) => sum + week.all, 0);
  const percent = shares.map(week => (week.all === 0 ? 0 : (100 * week.aside) / week.all));
  const drawn: Drawn = {
    id: 'share-quarantined',
    title: 'Share put aside',
    shows:
      'How much of each week is in quarantine or was marked as spam. What was let out again counts as taken in.',
    headline: { value: formatShare(aside, all), label: 'put aside' },
    empty: all === 0 ? 'Nothing yet: no message is kept.' : 'Nothing yet: no message is put aside.',
    table: {
      caption: 'Messages put aside, by week',
      head: ['Week from', 'Put aside', 'Of', 'Share'],
      rows: shares.map(week => [
        week.monday,
        String(week.aside),
        String(week.all),
        formatShare(week.aside, week.all),
      ]),
    },
  };
  if (aside === 0) return drawn;
  return {
    ...drawn,
    picture: {
      summary: `${formatShare(aside, all)} of all messages; at most ${Math.round(Math.max(...percent))} % in one week.`,
      legend: [],
      draw(width) {
        const mondays = shares.map(({ monday }) => monday);
        const frame = frameWeeks(width, mondays, {
          largest: Math.max(...percent),
          format: value => `${value} %`,
        });
        const spans = percent.map(to => ({ from: 0, to }));
        return { height: frame.height, body: frame.axes + bars(frame, 'attention', spans) };
      },
    },
  };
};
