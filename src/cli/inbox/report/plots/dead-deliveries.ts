import { findAddresses } from '../../../../domain/privacy/naming.ts';
import { clip, visible } from '../../../text.ts';
import { receivers } from '../../call.ts';
import { type Drawn, formatNumber, type Plot, receiverLabels } from '../plot.ts';
import { drawRows, type Row } from '../rows.ts';

const letterLines = ['confirmations', 'newsletter'];
const mostListed = 10;
const reasonRoom = 100;

export const deadDeliveries: Plot = async ({ figures }) => {
  const counted = await figures.countDead([...receivers, ...letterLines]);
  // Why a letter was given up may be about whoever it was for: those are counted, and not listed.
  const newest = await figures.listDead(receivers, mostListed);
  const rows: Row[] = counted
    .filter(({ count }) => count > 0)
    .map(({ receiver, count }) => ({
      name: receiverLabels[receiver] ?? receiver,
      value: count,
      text: formatNumber(count),
      mark: 'attention',
    }));
  const all = rows.reduce((sum, { value }) => sum + value, 0);
  const drawn: Drawn = {
    id: 'dead-deliveries',
    title: 'Given up',
    shows:
      'Deliveries that failed for about three days, or that were refused for good, by receiver. The messages themselves are kept.',
    headline: { value: formatNumber(all), label: all === 1 ? 'delivery given up' : 'deliveries given up' },
    empty: 'Nothing was given up.',
    table: {
      caption: 'Deliveries that were given up, by receiver',
      head: ['Receiver', 'Given up'],
      rows: counted.map(({ receiver, count }) => [receiverLabels[receiver] ?? receiver, formatNumber(count)]),
    },
  };
  if (all === 0) return drawn;
  return {
    ...drawn,
    picture: {
      summary: `${rows.map(({ name, text }) => `${name}: ${text}`).join(', ')}.`,
      legend: [],
      draw: width => drawRows(width, rows),
    },
    list:
      newest.length === 0
        ? undefined
        : {
            caption: newest.length < mostListed ? 'Messages that were given up' : `The newest ${mostListed}`,
            head: ['Given up', 'Reference', 'Receiver', 'Why'],
            rows: newest.map(({ settled_at, reference, receiver, last_failure }) => [
              settled_at.slice(0, 10),
              reference,
              receiverLabels[receiver] ?? receiver,
              clip(visible(withoutAddresses(last_failure)), reasonRoom),
            ]),
          },
  };
};

/** Some mail servers name a mailbox in what they say. */
function withoutAddresses(reason: string): string {
  return findAddresses(reason).reduce((text, address) => text.replaceAll(address, '(an address)'), reason);
}
