import { type Drawn, formatNumber, formatShare, type Plot } from '../plot.ts';
import { drawRows, type Row } from '../rows.ts';

export const byService: Plot = async ({ figures, services }) => {
  const counted = await figures.countServices(services);
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  const rank = (service: string | null) => (service === null ? 2 : service === '' ? 1 : 0);
  const rows: Row[] = counted
    .toSorted(
      (a, b) =>
        rank(a.service) - rank(b.service) ||
        b.count - a.count ||
        ((a.service ?? '') < (b.service ?? '') ? -1 : 1),
    )
    .map(({ service, count }) => ({
      name: service === null ? 'Other' : service || 'None chosen',
      value: count,
      text: formatNumber(count),
      mark: service ? 'main' : 'faint',
    }));
  const named = rows.filter(({ mark }) => mark === 'main').length;
  const chosen = rows.find(({ mark }) => mark === 'main');
  const drawn: Drawn = {
    id: 'by-service',
    title: 'By service',
    shows: 'Messages that were taken in, by the service that was chosen in the form.',
    headline: { value: String(named), label: named === 1 ? 'service asked for' : 'services asked for' },
    empty: 'Nothing yet: no message was taken in.',
    table: {
      caption: 'Messages that were taken in, by service',
      head: ['Service', 'Messages', 'Share'],
      rows: rows.map(({ name, value, text }) => [name, text, formatShare(value, total)]),
    },
  };
  if (total === 0) return drawn;
  return {
    ...drawn,
    picture: {
      summary: chosen
        ? `Most asked for: ${chosen.name}, by ${chosen.text} of ${formatNumber(total)} messages.`
        : `${formatNumber(total)} messages name no service of ours.`,
      legend: [],
      draw: width => drawRows(width, rows),
    },
  };
};
