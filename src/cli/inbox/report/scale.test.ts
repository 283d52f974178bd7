import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { durationTicks, formatDuration, nameWeeks, niceTicks, percentile } from './scale.ts';
import { foldWeeks } from './weeks.ts';

describe('numbers on an axis', () => {
  test.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [48, [0, 20, 40, 60]],
    [1_000_000, [0, 500_000, 1_000_000]],
  ])('up to %s', (largest, ticks) => expect(niceTicks(largest)).toEqual(ticks));

  test('begin at 0, reach the largest value, are whole, and are few', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 40 }), largest => {
        const ticks = niceTicks(largest);
        expect(ticks[0]).toBe(0);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(largest);
        expect(ticks.every(Number.isInteger)).toBe(true);
        expect(ticks.length).toBeLessThan(8);
      }),
    );
  });
});

describe('names of weeks', () => {
  const now = new Date('2026-11-15T12:00:00Z');
  const mondays = (count: number) => {
    const first = new Date(now.getTime() - (count - 1) * 7 * 86_400_000).toISOString().slice(0, 10);
    return foldWeeks([{ day: first, name: 'new', count: 1 }], now).weeks.map(({ monday }) => monday);
  };

  test.each([1, 2, 3, 4, 5, 9, 30, 60, 104, 157, 300, 312])(
    '%s of them do not meet, on a phone or beside',
    count => {
      for (const width of [300, 760]) {
        const band = Math.min(56, width / count);
        const named = nameWeeks(mondays(count), band);
        expect(named.length).toBeGreaterThan(0);
        named.reduce((before, { index, name }) => {
          // Digits and letters of 13 px are hardly wider than 8.
          expect((index - before) * band).toBeGreaterThan(name.length * 7);
          return index;
        }, -10_000);
      }
    },
  );

  test('are the weeks themselves while there is room, and years at last', () => {
    expect(nameWeeks(mondays(3), 56).map(({ name }) => name)).toEqual(['26 Oct', '2 Nov', '9 Nov']);
    expect(nameWeeks(mondays(300), 1).map(({ name }) => name)).toEqual([
      '2022',
      '2023',
      '2024',
      '2025',
      '2026',
    ]);
  });
});

describe('weeks', () => {
  const now = new Date('2026-11-15T23:59:59Z');

  test('begin on Monday in UTC, and none is left out', () => {
    const days = [
      { day: '2026-11-15', name: 'new', count: 2 },
      { day: '2026-10-25', name: 'new', count: 1 },
      { day: '2026-10-26', name: 'spam', count: 4 },
      { day: '2026-11-09', name: 'new', count: 3 },
    ];
    expect(foldWeeks(days, now)).toEqual({
      weeks: [
        { monday: '2026-10-19', counts: { new: 1 } },
        { monday: '2026-10-26', counts: { spam: 4 } },
        { monday: '2026-11-02', counts: {} },
        { monday: '2026-11-09', counts: { new: 5 } },
      ],
      outside: 0,
    });
  });

  test('of a clock that was wrong are counted, and not drawn', () => {
    const days = ['1970-01-01', '2026-11-15', '2099-01-01'].map(day => ({ day, name: 'new', count: 1 }));
    const { weeks, outside } = foldWeeks(days, now);
    expect(outside).toBe(2);
    expect(weeks).toHaveLength(312);
    expect(weeks.at(-1)).toEqual({ monday: '2026-11-09', counts: { new: 1 } });
    expect(foldWeeks([], now)).toEqual({ weeks: [], outside: 0 });
  });
});

describe('durations', () => {
  test('an axis holds what it shows, with two names at least', () => {
    fc.assert(
      fc.property(fc.nat(10 ** 9), fc.nat(10 ** 9), (one, other) => {
        const [shortest, longest] = [Math.min(one, other), Math.max(one, other)];
        const ticks = durationTicks(shortest, longest);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks[0]?.ms).toBeLessThanOrEqual(Math.max(shortest, 100));
        expect(ticks.at(-1)?.ms).toBeGreaterThanOrEqual(longest);
      }),
    );
  });

  test.each([
    [0, '< 0.1 s'],
    [400, '0.4 s'],
    [12_300, '12 s'],
    [180_000, '3 min'],
    [9_000_000, '2.5 h'],
    [3 * 86_400_000, '3 days'],
  ])('%s ms', (ms, text) => expect(formatDuration(ms)).toBe(text));

  test('the time within which a share arrived', () => {
    const times = [
      { ms: 100, count: 90 },
      { ms: 5000, count: 9 },
      { ms: 60_000, count: 1 },
    ];
    expect([0.5, 0.9, 0.99, 1].map(share => percentile(times, share))).toEqual([100, 100, 5000, 60_000]);
    expect(percentile([{ ms: 7, count: 1 }], 0.99)).toBe(7);
    expect(percentile([], 0.5)).toBe(0);
  });
});
