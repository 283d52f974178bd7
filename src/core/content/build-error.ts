import { describeProblem, type Problem } from './content-error.ts';

/** The message has a line for each problem. */
export class BuildError extends Error {
  problems: readonly Problem[];

  constructor(...problems: Problem[]) {
    super(problems.map(describeProblem).join('\n'));
    this.problems = problems;
  }
}
