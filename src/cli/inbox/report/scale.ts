/** Round numbers from 0 up to one that is not below the largest value, about so many of them. */
export function niceTicks(
  largest: number,
  { about = 4, smallestStep = 1 }: { about?: number; smallestStep?: number } = {},
): number[] {
  const rough = Math.max(largest, smallestStep) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find(one => one * power >= rough * (1 - 1e-9)) ?? 10;
  const step = Math.max(factor * power, smallestStep);
  const count = Math.max(1, Math.ceil(largest / step - 1e-9));
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** From the finest to the coarsest: which weeks are named, as what, and how much room such a name takes. */
const spacings: {
  room: number;
  isNamed(monday: string, before: string | undefined): boolean;
  name(monday: string): string;
}[] = [
  { room: 52, isNamed: () => true, name: nameDay },
  ...[1, 3, 6].map(every => ({
    room: 70,
    isNamed: (monday: string, before: string | undefined) =>
      before !== undefined && monthOf(monday) !== monthOf(before) && (monthOf(monday) - 1) % every === 0,
    name: (monday: string) => `${months[monthOf(monday) - 1]} ${monday.slice(0, 4)}`,
  })),
  {
    room: 44,
    isNamed: (monday, before) => before !== undefined && monday.slice(0, 4) !== before.slice(0, 4),
    name: monday => monday.slice(0, 4),
  },
];

/** Names as many weeks as there is room for, so that no two names meet. */
export function nameWeeks(mondays: readonly string[], band: number): { index: number; name: string }[] {
  for (const { room, isNamed, name } of spacings) {
    const named = mondays.flatMap((monday, index) =>
      isNamed(monday, mondays[index - 1]) ? [{ index, name: name(monday) }] : [],
    );
    const isRoomy = named.every(
      ({ index }, at) => at === 0 || (index - (named[at - 1]?.index ?? 0)) * band >= room,
    );
    if (named.length > 0 && isRoomy) return named;
  }
  const middle = Math.floor(mondays.length / 2);
  const monday = mondays[middle];
  return monday === undefined ? [] : [{ index: middle, name: nameDay(monday) }];
}

function nameDay(monday: string): string {
  return `${Number(monday.slice(8))} ${months[monthOf(monday) - 1]}`;
}

function monthOf(monday: string): number {
  return Number(monday.slice(5, 7));
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Times a person would say; each is about ten times the one before, so that a moment and three days fit one axis. */
const durations: [ms: number, name: string][] = [
  [100, '0.1 s'],
  [second, '1 s'],
  [10 * second, '10 s'],
  [minute, '1 min'],
  [10 * minute, '10 min'],
  [hour, '1 h'],
  [10 * hour, '10 h'],
  [4 * day, '4 days'],
  [30 * day, '30 days'],
  [365 * day, '1 year'],
];

/** Those from the last one that is not above the shortest time to the first one that is not below the longest. */
export function durationTicks(shortest: number, longest: number): { ms: number; name: string }[] {
  const from = durations.findLastIndex(([ms]) => ms <= shortest);
  const to = durations.findIndex(([ms]) => ms >= longest);
  const begin = Math.max(0, from);
  const end = Math.max(begin + 1, to < 0 ? durations.length - 1 : to);
  return durations.slice(begin, end + 1).map(([ms, name]) => ({ ms, name }));
}

/** '0.4 s', '12 s', '3 min', '2.5 h', '3 days' */
export function formatDuration(ms: number): string {
  if (ms < 100) return '< 0.1 s';
  const [unit, name] =
    ms < minute ? [second, 's'] : ms < hour ? [minute, 'min'] : ms < 2 * day ? [hour, 'h'] : [day, 'days'];
  const value = ms / unit;
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ${name}`;
}

/** The time within which this share arrived. */
export function percentile(times: readonly { ms: number; count: number }[], share: number): number {
  const total = times.reduce((sum, { count }) => sum + count, 0);
  let counted = 0;
  for (const { ms, count } of times) {
    counted += count;
    if (counted >= share * total) return ms;
  }
  return 0;
}
