import { expect, test } from 'vitest';
import { readStartTags } from './read-html.ts';

test.each([
  // A tree builder would repeat each open <b> in every paragraph: 10,000 × 40,000 elements.
  [
    'formatting elements',
    Array.from({ length: 10_000 }, (_, at) => `<b a=${at}>`).join('') + '<p>'.repeat(100_000),
  ],
  ['deep nesting', '<div>'.repeat(100_000)],
  ['an endless tag', `<a ${'x '.repeat(250_000)}`],
  ['many attributes', `<a ${Array.from({ length: 60_000 }, (_, at) => `x${at}=1`).join(' ')}>`],
])('reads %s in linear time', (_, body) => {
  const start = performance.now();
  expect(readStartTags({ body }).length).toBeLessThanOrEqual(20_000);
  expect(performance.now() - start).toBeLessThan(2000);
});
