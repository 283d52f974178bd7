import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { InputSchema } from '../../../core/action.ts';
import { release } from './change-messages.ts';
import { retry } from './deliveries.ts';
import { exportMessages, list } from './read-messages.ts';

test.each<[string, { input: InputSchema }, object, object]>([
  ['retry of nothing', retry, {}, { waiting: true }],
  ['release of nothing', release, { references: [] }, { references: [' aaaaa-aaaaa'] }],
  ['a search for nothing', list, { search: ' ' }, { search: 'x' }],
  ['an export without a format', exportMessages, { file: 'out.csv' }, { file: 'out.csv', csv: true }],
])('%s is rejected before the database is read', (_, { input }, given, enough) => {
  expect([v.is(input, given), v.is(input, enough)]).toEqual([false, true]);
});
