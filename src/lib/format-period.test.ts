import { expect, test } from 'vitest';
import { formatPeriod } from './format-period.ts';

test.each([
  [730, '2 years'],
  [365, '1 year'],
  [90, '90 days'],
  [1, '1 day'],
  [366, '366 days'],
])('%i days are %s', (days, words) => expect(formatPeriod(days)).toBe(words));
