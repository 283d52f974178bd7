import { printTable } from '../table.ts';
import { outputWidth, printLines as printAll, styled, type Text } from '../terminal.ts';
import { textWidth, visible, wrap } from '../text.ts';
import type { Line } from './run.ts';

const colours = { ready: 'green', missing: 'red', 'not checked': 'yellow' } as const;
const indent = ' '.repeat(21);

/** What is to be done first stands first. A sentence is wrapped under its name; a program gets one line for each. */
export function printLines(lines: readonly Line[]): void {
  const sorted = lines.toSorted((a, b) => urgency(a) - urgency(b));
  const width = outputWidth();
  if (width !== undefined) {
    printAll(drawLines(sorted, width));
    return;
  }
  printTable(
    ['state', 'level', 'what', 'found', 'why'],
    sorted.map(({ state, level, name, found, why }) => [state, level, name, found, why]),
  );
}

function urgency({ state, level }: Line): number {
  if (state === 'ready') return 3;
  if (state === 'not checked') return 2;
  return level === 'must' ? 0 : 1;
}

export function drawLines(lines: readonly Line[], columns: number): Text[] {
  const width = Math.min(Math.max(columns, 40), 120) - indent.length;
  return lines.flatMap(({ state, level, name, found, why }) => {
    const head = [styled(colours[state], state.padEnd(13)), level.padEnd(8), styled('bold', name)];
    const text = visible(state === 'missing' ? `${sentence(found)} ${why}` : sentence(found));
    if (name.length + 2 + textWidth(text) <= width) return [[...head, `  ${text}`]];
    return [head, ...wrap(text, width).map(line => indent + line)];
  });
}

/** What begins with a file, a host or an address begins as that is written. */
function sentence(found: string): string {
  const begun = /^[a-z]+[ ,]/.test(found) ? found.charAt(0).toUpperCase() + found.slice(1) : found;
  return /[.?!]$/.test(begun) ? begun : `${begun}.`;
}
