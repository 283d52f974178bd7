import { receivers } from '../../call.ts';
import { type Drawn, formatNumber, type Plot, receiverLabels } from '../plot.ts';
import { durationTicks, formatDuration, percentile } from '../scale.ts';
import { label, line, round } from '../svg.ts';

type Times = { name: string; count: number; p50: number; p90: number; p99: number };

export const timeToReceivers: Plot = async ({ figures }) => {
  const found: Times[] = [];
  for (const receiver of receivers) {
    const times = await figures.countTimes(receiver);
    if (times.length === 0) continue;
    const count = times.reduce((sum, time) => sum + time.count, 0);
    const [p50 = 0, p90 = 0, p99 = 0] = [0.5, 0.9, 0.99].map(share => percentile(times, share));
    found.push({ name: receiverLabels[receiver] ?? receiver, count, p50, p90, p99 });
  }
  const slowest = found.toSorted((a, b) => b.p50 - a.p50)[0];
  const drawn: Drawn = {
    id: 'time-to-receivers',
    title: 'Time to each receiver',
    shows:
      'From receipt of a message until its receiver had it: for half of them, for nine in ten, and for 99 in a hundred. Each step to the right is about ten times as long.',
    headline: { value: slowest ? formatDuration(slowest.p50) : '–', label: 'median way to a receiver' },
    empty: 'Nothing yet: no message was delivered.',
    table: {
      caption: 'Time from receipt to each receiver',
      isPrinted: true,
      head: ['Receiver', 'Delivered', 'Half within', '90 % within', '99 % within'],
      rows: found.map(({ name, count, p50, p90, p99 }) => [
        name,
        formatNumber(count),
        ...[p50, p90, p99].map(formatDuration),
      ]),
    },
  };
  if (found.length === 0) return drawn;
  return {
    ...drawn,
    picture: {
      summary: found
        .map(
          ({ name, p50, p99 }) =>
            `${name}: half within ${formatDuration(p50)}, 99 in a hundred within ${formatDuration(p99)}.`,
        )
        .join(' '),
      legend: [
        { name: 'Half', mark: 'main' },
        { name: '90 %', mark: 'faint' },
        { name: '99 %', mark: 'attention' },
      ],
      draw: width => drawTimes(width, found),
    },
  };
};

function drawTimes(width: number, found: readonly Times[]): { height: number; body: string } {
  const isNarrow = width < 500;
  const rowHeight = isNarrow ? 56 : 48;
  const [left, right] = [isNarrow ? 24 : 112, width - 28];
  const bottom = found.length * rowHeight + 6;
  const ticks = durationTicks(
    Math.min(...found.map(({ p50 }) => p50)),
    Math.max(...found.map(({ p99 }) => p99)),
  );
  const place = (ms: number) => {
    const at = ticks.findIndex((_, index) => index === ticks.length - 2 || ms <= (ticks[index + 1]?.ms ?? 0));
    const [from, to] = [ticks[at]?.ms ?? 1, ticks[at + 1]?.ms ?? 2];
    const within = Math.log(Math.max(ms, from) / from) / Math.log(to / from);
    return left + ((at + within) / (ticks.length - 1)) * (right - left);
  };
  const axes = ticks.map(({ ms, name }) =>
    [line('rule', place(ms), 0, place(ms), bottom), label(place(ms), bottom + 18, name, 'middle')].join(''),
  );
  const rows = found.map(({ name, p50, p90, p99 }, index) => {
    const y = index * rowHeight + (isNarrow ? 36 : 26);
    // Where all three are the same, each is still to be seen.
    const dot = (kind: string, ms: number, radius: number) =>
      `<circle class="${kind}" cx="${round(place(ms))}" cy="${y}" r="${radius}"/>`;
    return [
      isNarrow ? label(left - 6, y - 16, name, 'start', 'name') : label(0, y + 5, name, 'start', 'name'),
      line('range', place(p50), y, place(p99), y),
      dot('attention', p99, 8.5),
      dot('faint', p90, 6.5),
      dot('main', p50, 4.5),
    ].join('');
  });
  return { height: bottom + 26, body: axes.join('') + rows.join('') };
}
