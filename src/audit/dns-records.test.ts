import { expect, test } from 'vitest';
import { parseTags } from './dns-records.ts';

test('reads tags, of which the first counts, and a long record in linear time', () => {
  const start = performance.now();
  const tags = parseTags(
    ` V = DMARC1 ;p=none; p=reject; rua=mailto:a@b?c=d; =x; y; k=${' '.repeat(60_000)}x `,
  );
  expect([...tags]).toEqual([
    ['v', 'DMARC1'],
    ['p', 'none'],
    ['rua', 'mailto:a@b?c=d'],
    ['k', 'x'],
  ]);
  expect(performance.now() - start).toBeLessThan(200);
});
