import { describe, expect, test } from 'vitest';
import {
  describeFailure,
  describeStoredFailure,
  type Failure,
  readStoredFailure,
  storeFailure,
} from './failures.ts';

describe('a failure', () => {
  test.each<[Failure, string]>([
    [{ code: 'erased' }, 'its message was erased'],
    [{ code: 'answered-refusal', status: 404 }, 'answered 404: nothing is at that address'],
    [
      { code: 'not-attempted', failure: { code: 'look-up-failed', failure: { code: 'connection-refused' } } },
      'attempt not made: look-up failed: connection refused',
    ],
    [
      { code: 'mail-filtered', status: 554, enhanced: '5.7.1', step: 'mail' },
      'answered 554 5.7.1 to the mail: refused, perhaps by a filter',
    ],
    [{ code: 'other', text: '{ no code' }, '{ no code'],
    [{ code: 'other', text: '' }, ''],
  ])('%j is stored, read and shown as %j', (failure, text) => {
    expect(readStoredFailure(storeFailure(failure))).toEqual(failure);
    expect(describeFailure(failure)).toBe(text);
  });

  test.each(['answered 503', '550 full', '{"code":"of a later version"}', '{"code":"constructor"}', 'null'])(
    'what another version stored is shown as it is: %j',
    text => expect(describeStoredFailure(text)).toBe(text),
  );

  test('a text that an earlier version stored for a code is that code again', () => {
    expect(readStoredFailure('its message was erased')).toEqual({ code: 'erased' });
  });
});
