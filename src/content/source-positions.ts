import { isMap, isPair, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { Mistake } from './read-content.ts';
import { findSyntaxFaults } from './yaml-syntax-errors.ts';

export type Located = {
  file: string;
  value: unknown;
  lineOf(path: readonly (string | number)[]): number;
};

export type Path = (string | number)[];

/** `located` is missing where nothing in the file can be relied on. */
type Parsed = { located?: Located; syntax: Mistake[] };

export function parseYamlFile(file: string, text: string, linesBefore = 0): Parsed {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'error' });
  const lineAt = (offset: number) => lines.linePos(offset).line + linesBefore;
  const faults = findSyntaxFaults(text, document, lineAt);
  const syntax = faults.map(({ at, reason }) => ({ file, line: lineAt(at), field: '', reason }));
  const isReadable = document.errors.every(({ code }) => code === 'DUPLICATE_KEY');
  if (!isReadable || !faults.every(({ isHarmless }) => isHarmless)) return { syntax };
  const lineOf: Located['lineOf'] = path => lineAt(offsetOf(document.contents, path));
  return { located: { file, value: document.toJS(), lineOf }, syntax };
}

export function parseMarkdownFile(file: string, text: string): Parsed {
  const parts = /^---[ \t]*\n(.*?\n)??---[ \t]*(?:\n\s*(.*))?$/s.exec(text);
  if (!parts) {
    const reason = 'must begin with its facts between two lines of ---';
    return { syntax: [{ file, line: 1, field: '', reason }] };
  }
  const [, front = '', body = ''] = parts;
  const { located, syntax } = parseYamlFile(file, front, 1);
  if (!located) return { syntax };
  const bodyLine = text.slice(0, text.length - body.length).split('\n').length;
  const facts = located.value ?? {};
  if (typeof facts !== 'object' || Array.isArray(facts)) return { located, syntax };
  if ('body' in facts) {
    const reason = 'is what stands below the second line of ---, not a field above it';
    syntax.push({ file, line: located.lineOf(['body']), field: 'body', reason });
  }
  return {
    syntax,
    located: {
      file,
      value: { ...facts, body },
      lineOf: path => (path[0] === 'body' ? bodyLine : located.lineOf(path)),
    },
  };
}

export function fieldName(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return '';
  return typeof last === 'number' ? `entry ${last + 1} of ${path.at(-2) ?? 'the list'}` : last;
}

/** Falls back to the nearest existing ancestor. */
function offsetOf(root: Node | null, path: readonly (string | number)[]): number {
  let node: unknown = root;
  let offset = root?.range?.[0] ?? 0;
  for (const key of path) {
    let next: unknown;
    if (isMap(node)) {
      const pair = node.items.find(item => isPair(item) && String(item.key) === String(key));
      if (!pair) break;
      offset = (pair.key as Node).range?.[0] ?? offset;
      next = pair.value;
    } else if (isSeq(node) && typeof key === 'number') {
      next = node.items[key];
      offset = (next as Node | undefined)?.range?.[0] ?? offset;
    } else break;
    node = next;
  }
  return offset;
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[name] : undefined,
    value,
  );
}
