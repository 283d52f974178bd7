import { expect, test } from 'vitest';
import type { Failure } from '../../../core/outbox/failures.ts';
import { explainFailure } from './explain-failure.ts';

test.each<[Failure, string | undefined]>([
  [{ code: 'answered', status: 401 }, 'It did not accept our password or key'],
  [{ code: 'answered-refusal', status: 403 }, 'A filter in front of it refused the text'],
  [{ code: 'answered-refusal', status: 404 }, 'Its address is wrong, or it was moved'],
  [{ code: 'answered', status: 429 }, 'It was too busy'],
  [{ code: 'answered', status: 503 }, 'It had a fault of its own'],
  [{ code: 'answered-redirect', status: 302 }, 'It refused the delivery'],
  [{ code: 'mail-answered', status: 535, step: 'login' }, 'It did not accept our password or key'],
  [{ code: 'mail-answered', status: 550, enhanced: '5.1.1', step: 'RCPT TO' }, 'It refused the delivery'],
  [{ code: 'mail-answered', status: 550, step: 'RCPT TO' }, 'It had a fault of its own'],
  [{ code: 'not-attempted', failure: { code: 'connection-refused' } }, 'It could not be reached'],
  [{ code: 'other', text: 'no connection to the database' }, undefined],
])('%j is explained as %j', (failure, text) => expect(explainFailure(failure)).toBe(text));
