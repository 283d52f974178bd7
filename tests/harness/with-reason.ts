import { describeFailure, type Failure } from '../../src/core/outbox/failures.ts';

/** An outcome with the text of its failure, which is what the owner reads. */
export function withReason<Result extends object>(outcome: Result) {
  if (!('failure' in outcome)) return outcome;
  const { failure, ...rest } = outcome;
  return { ...rest, reason: describeFailure(failure as Failure) };
}
