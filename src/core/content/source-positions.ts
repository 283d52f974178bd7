import { isMap, isPair, isSeq, LineCounter, type Node } from 'yaml';
import type { ContentError } from './content-error.ts';
import { parseYaml } from './parse-yaml.ts';
import { findProseExcess } from './prose-excess.ts';
import { findYamlSyntaxErrors } from './yaml-syntax-errors.ts';

export type ParsedFile = {
  file: string;
  value: unknown;
  lineAt(path: readonly (string | number)[]): number;
};

export type Path = (string | number)[];

/** `parsed` is missing where a syntax error makes the rest of the file unreliable. */
type ParseResult = { parsed?: ParsedFile; syntaxErrors: ContentError[] };

export function parseYamlFile(file: string, text: string, linesBefore = 0): ParseResult {
  const lines = new LineCounter();
  const document = parseYaml(text, { lineCounter: lines });
  const lineAtOffset = (offset: number) => lines.linePos(offset).line + linesBefore;
  const found = findYamlSyntaxErrors(text, document, lineAtOffset);
  const syntaxErrors = found.map(({ at, reason }) => ({ file, line: lineAtOffset(at), field: '', reason }));
  const isReadable = document.errors.every(({ code }) => code === 'DUPLICATE_KEY');
  if (!isReadable || !found.every(({ isHarmless }) => isHarmless)) return { syntaxErrors };
  const lineAt: ParsedFile['lineAt'] = path => lineAtOffset(findOffset(document.contents, path));
  return { parsed: { file, value: document.toJS(), lineAt }, syntaxErrors };
}

export function parseMarkdownFile(file: string, text: string): ParseResult {
  const parts = splitFrontMatter(text);
  if (!parts) {
    const reason = 'must begin with its fields between two lines of ---';
    return { syntaxErrors: [{ file, line: 1, field: '', reason }] };
  }
  const { front, body } = parts;
  const { parsed, syntaxErrors } = parseYamlFile(file, front, 1);
  if (!parsed) return { syntaxErrors };
  const bodyLine = text.slice(0, text.length - body.length).split('\n').length;
  const excess = findProseExcess(body);
  if (excess) {
    const { line, reason } = excess;
    return { syntaxErrors: [...syntaxErrors, { file, line: bodyLine + line - 1, field: 'body', reason }] };
  }
  const fields = parsed.value ?? {};
  if (typeof fields !== 'object' || Array.isArray(fields)) return { parsed, syntaxErrors };
  if ('body' in fields) {
    const reason = 'belongs below the second line of ---, not among the fields above it';
    syntaxErrors.push({ file, line: parsed.lineAt(['body']), field: 'body', reason });
  }
  return {
    syntaxErrors,
    parsed: {
      file,
      value: { ...fields, body },
      lineAt: path => (path[0] === 'body' ? bodyLine : parsed.lineAt(path)),
    },
  };
}

/** The three parts and what is between them make up the text. */
export function splitFrontMatter(text: string): { front: string; rest: string; body: string } | undefined {
  const parts = /^---[ \t]*\n(.*?\n)??(---[ \t]*(?:\n\s*|$))(.*)$/s.exec(text);
  if (!parts) return undefined;
  const [, front = '', rest = '', body = ''] = parts;
  return { front, rest, body };
}

/** The field that is on a line, or that the line is in. */
export function findPathAtLine({ value, lineAt }: ParsedFile, line: number): Path {
  return eachPath(value).findLast(path => lineAt(path) <= line) ?? [];
}

function eachPath(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, item]) =>
    eachPath(item, [...path, Array.isArray(value) ? Number(name) : name]),
  );
  return path.length > 0 ? [path, ...inner] : inner;
}

export function fieldName(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return '';
  return typeof last === 'number' ? `entry ${last + 1} of ${path.at(-2) ?? 'the list'}` : last;
}

function findOffset(root: Node | null, path: readonly (string | number)[]): number {
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
