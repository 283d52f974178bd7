import { expect, test } from 'vitest';
import { explainReasons, weights } from './score-message.ts';

test('every reason has its own explanation, and an unknown one is unchanged', () => {
  const known = Object.keys(weights);
  const explained = explainReasons(known.join(', '));
  expect(new Set(explained).size).toBe(known.length);
  expect(explained.filter(words => known.includes(words))).toEqual([]);
  expect(explainReasons('honeypot, toString')).toEqual([expect.stringContaining('honeypot'), 'toString']);
  expect(explainReasons('')).toEqual([]);
});
