import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMetrics } from '../../tests/harness/metrics.ts';
import { createRegistry } from './metrics.ts';

const table = {
  asked_total: { type: 'counter', help: 'What was asked.' },
  waiting: { type: 'gauge', help: 'A back\\slash, and\na second line.' },
  taken_seconds: { type: 'histogram', help: 'How long it took.', bounds: [0.1, 1] },
} as const;

test('what was never counted is not there', () => {
  expect(createRegistry(table).write()).toBe('');
});

test('counts, sets and forgets', () => {
  const registry = createRegistry(table);
  registry.cell('asked_total', { kind: 'page' }).value += 2;
  registry.cell('asked_total', { kind: 'page' }).value += 1;
  registry.cell('asked_total', { kind: 'asset' });
  registry.cell('waiting').value = 1.5;
  const { samples } = readMetrics(registry.write());
  expect(samples.get('asked_total{kind="page"}')).toBe(3);
  expect(samples.get('asked_total{kind="asset"}')).toBe(0);
  expect(samples.get('waiting')).toBe(1.5);
  registry.clear('waiting');
  expect(readMetrics(registry.write()).families).toEqual(new Map([['asked_total', 'counter']]));
});

test('a histogram counts what is not above each bound', () => {
  const registry = createRegistry(table);
  const taken = registry.histogram('taken_seconds', { kind: 'api' });
  for (const value of [0.05, 0.1, 0.5, 7]) taken.observe(value);
  expect(registry.write()).toBe(
    [
      '# HELP taken_seconds How long it took.',
      '# TYPE taken_seconds histogram',
      'taken_seconds_bucket{kind="api",le="0.1"} 2',
      'taken_seconds_bucket{kind="api",le="1"} 3',
      'taken_seconds_bucket{kind="api",le="+Inf"} 4',
      'taken_seconds_sum{kind="api"} 7.65',
      'taken_seconds_count{kind="api"} 4',
      '',
    ].join('\n'),
  );
});

test('whatever a label or a number is, a strict reader reads it back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.double(), (value, number) => {
      const registry = createRegistry(table);
      registry.cell('waiting', { why: value }).value = number;
      const { labels, samples } = readMetrics(registry.write());
      expect(labels[0]).toEqual({ why: value });
      // A text cannot tell the two zeros apart.
      expect([...samples.values()][0]).toBe(number === 0 ? 0 : number);
    }),
  );
});
