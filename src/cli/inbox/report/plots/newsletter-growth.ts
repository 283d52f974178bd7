import { type Drawn, formatDay, formatNumber, type Plot } from '../plot.ts';
import { frameWeeks, round } from '../svg.ts';
import { foldWeeks } from '../weeks.ts';

export const newsletterGrowth: Plot = async ({ figures, now }) => {
  const days = await figures.countReaders();
  const { weeks } = foldWeeks(
    days.flatMap(({ day, joined, left }) => [
      { day, name: 'joined', count: joined },
      { day, name: 'left', count: left },
    ]),
    now,
  );
  // Whoever joined before the first week that is drawn reads on.
  const all = days.reduce((sum, { joined, left }) => sum + joined - left, 0);
  const drawnChange = weeks.reduce((sum, { counts }) => sum + (counts.joined ?? 0) - (counts.left ?? 0), 0);
  let readers = all - drawnChange;
  const growth = weeks.map(({ monday, counts }) => {
    const { joined = 0, left = 0 } = counts;
    readers += joined - left;
    return { monday, joined, left, readers: Math.max(0, readers) };
  });
  const most = Math.max(0, ...growth.map(week => week.readers));
  const drawn: Drawn = {
    id: 'newsletter-growth',
    title: 'Readers of the newsletter',
    shows:
      'Everybody who had confirmed and not left, at the end of each week. Whoever was erased is in none of them.',
    headline: { value: formatNumber(Math.max(0, all)), label: all === 1 ? 'reader' : 'readers' },
    empty: 'Nothing yet: nobody has confirmed.',
    table: {
      caption: 'Readers of the newsletter, by week',
      head: ['Week from', 'Confirmed', 'Left', 'Readers'],
      rows: growth.map(week => [week.monday, ...[week.joined, week.left, week.readers].map(formatNumber)]),
    },
  };
  if (most === 0) return drawn;
  return {
    ...drawn,
    picture: {
      summary: `${formatNumber(Math.max(0, all))} readers now; the first confirmed in the week from ${formatDay(growth[0]?.monday ?? '')}.`,
      legend: [],
      draw(width) {
        const mondays = growth.map(({ monday }) => monday);
        const frame = frameWeeks(width, mondays, { largest: most, format: formatNumber });
        return { height: frame.height, body: frame.axes + drawCurve(frame, growth) };
      },
    },
  };
};

/** A line over a pale field; a single week is a dot. */
function drawCurve(
  { x, y, band }: ReturnType<typeof frameWeeks>,
  growth: readonly { readers: number }[],
): string {
  const points = growth.map(({ readers }, index) => [round(x(index) + band / 2), round(y(readers))] as const);
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return '';
  const path = points.map(([px, py]) => `${px} ${py}`).join('L');
  const field = `<path class="field" d="M${first[0]} ${round(y(0))}L${path}L${last[0]} ${round(y(0))}z"/>`;
  return `${field}<path class="curve" d="M${path}"/><circle class="main" cx="${last[0]}" cy="${last[1]}" r="4"/>`;
}
