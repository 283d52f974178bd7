import { stripVTControlCharacters } from 'node:util';
import { describeProblem, type Problem } from '../../core/content/content-error.ts';

/** Prints the errors whenever they change, and the places that have none any more. */
export function createErrorReport(print: (lines: string[]) => void) {
  let printed: Problem[] = [];
  const findPlace = ({ place, reason }: Problem) => place?.file ?? reason;
  return (errors: Problem[]): void => {
    const lines = errors.map(describeProblem);
    if (lines.join('\n') === printed.map(describeProblem).join('\n')) return;
    const places = errors.map(findPlace);
    const fixed = new Set(printed.map(findPlace).filter(place => !places.includes(place)));
    print([...[...fixed].map(place => `Fixed: ${place}`), countErrors(errors), ...lines]);
    printed = errors;
  };
}

export function countErrors({ length }: Problem[]): string {
  if (length === 0) return 'No errors';
  return length === 1 ? 'One error' : `${length} errors`;
}

export function describeProgramError(error: unknown, root: string): Problem {
  const { message = String(error), stack = '', id = '' } = error as Partial<Error> & { id?: string };
  const lines = stripVTControlCharacters(message).split('\n');
  const reason = lines.find(line => line.trim() && !line.startsWith('Transform failed')) ?? '';
  const trace = [...lines, stack, `${id}:1`].join('\n').replaceAll(`${root}/`, '');
  const [, file = 'src/ui', line = 1] = /\b(src\/[\w./-]+):(\d+)/.exec(trace) ?? [];
  return { place: { file, line: Number(line) }, reason: reason.replace(/^\[[A-Z_]+\] /, '').trim() };
}
