import { stripVTControlCharacters } from 'node:util';

/** Prints the errors whenever they change, and the places that have none any more. */
export function createErrorReport(print: (lines: string[]) => void) {
  let printed: string[] = [];
  const findPlace = (error: string) => /^(.*?) line \d+:/.exec(error)?.[1] ?? error.split(' ')[0] ?? '';
  return (errors: string[]): void => {
    if (errors.join('\n') === printed.join('\n')) return;
    const places = errors.map(findPlace);
    const fixed = new Set(printed.map(findPlace).filter(place => !places.includes(place)));
    print([...[...fixed].map(place => `Fixed: ${place}`), countErrors(errors), ...errors]);
    printed = errors;
  };
}

export function countErrors({ length }: string[]): string {
  if (length === 0) return 'No errors';
  return length === 1 ? 'One error' : `${length} errors`;
}

/** As an error of content/ is described: file, line, reason. */
export function describeProgramError(error: unknown, root: string): string {
  const { message = String(error), stack = '', id = '' } = error as Partial<Error> & { id?: string };
  const lines = stripVTControlCharacters(message).split('\n');
  const reason = lines.find(line => line.trim() && !line.startsWith('Transform failed')) ?? '';
  const trace = [...lines, stack, `${id}:1`].join('\n').replaceAll(`${root}/`, '');
  const [, file = 'src/site', line = 1] = /\b(src\/[\w./-]+):(\d+)/.exec(trace) ?? [];
  return `${file} line ${line}: ${reason.replace(/^\[[A-Z_]+\] /, '').trim()}`;
}
