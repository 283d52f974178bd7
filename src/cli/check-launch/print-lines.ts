import { styled, visible } from '../table.ts';
import type { Line } from './run.ts';

const colours = { ready: 'green', missing: 'red', 'not checked': 'yellow' } as const;
const indent = ' '.repeat(21);

/** What is to be done first stands first. A sentence is wrapped under its name; a program gets one line for each. */
export function printLines(lines: readonly Line[]): void {
  const sorted = lines.toSorted((a, b) => urgency(a) - urgency(b));
  process.stdout.write(process.stdout.isTTY ? forPerson(sorted) : forProgram(sorted));
}

function urgency({ state, level }: Line): number {
  if (state === 'ready') return 3;
  if (state === 'not checked') return 2;
  return level === 'must' ? 0 : 1;
}

function forProgram(lines: readonly Line[]): string {
  const rows = lines.map(({ state, level, name, found, why }) => [state, level, name, found, why]);
  return [['state', 'level', 'what', 'found', 'why'], ...rows]
    .map(row => `${row.map(visible).join('\t')}\n`)
    .join('');
}

function forPerson(lines: readonly Line[]): string {
  const width = Math.min(Math.max(process.stdout.columns || 80, 40), 120) - indent.length;
  return lines
    .map(({ state, level, name, found, why }) => {
      const head = `${styled(colours[state], state.padEnd(13))}${level.padEnd(8)}${styled('bold', name)}`;
      const text = visible(state === 'missing' ? `${sentence(found)} ${why}` : sentence(found));
      if (name.length + 2 + text.length <= width) return `${head}  ${text}\n`;
      return [head, ...wrap(text, width).map(line => indent + line), ''].join('\n');
    })
    .join('');
}

/** What begins with a file, a host or an address begins as that is written. */
function sentence(found: string): string {
  const begun = /^[a-z]+[ ,]/.test(found) ? found.charAt(0).toUpperCase() + found.slice(1) : found;
  return /[.?!]$/.test(begun) ? begun : `${begun}.`;
}

function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines;
}
