import { isScalar, isSeq, type Node, parseDocument, Scalar, stringify } from 'yaml';
import type { Path } from './source-positions.ts';

export type YamlChange = { path: Path; value: string | null | string[] };

/** Replaces single values and lists. Everything else keeps its bytes: comments, order, quotation marks and line ends. */
export function editYaml(text: string, changes: readonly YamlChange[]): string {
  let edited = text;
  for (const { path, value } of changes) {
    const node = parseDocument(edited).getIn(path, true) as Node | undefined;
    if (!node?.range) throw new Error(`there is no field ${path.join('.')}`);
    const [start, valueEnd] = node.range;
    // The range of a list includes the line end after it.
    const end = start + edited.slice(start, valueEnd).trimEnd().length;
    edited = edited.slice(0, start) + format(value, node, indentAt(edited, start)) + edited.slice(end);
  }
  return edited;
}

function format(value: YamlChange['value'], present: Node, indent: string): string {
  if (!Array.isArray(value)) return formatScalar(value, present);
  const isBlock = isSeq(present) && !present.flow;
  if (!isBlock) return stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();
  const lines = value.map(item => `- ${formatScalar(item, present.items[0])}`);
  return lines.join(`\n${indent}`);
}

/** In quotation marks if the present value is. */
function formatScalar(value: string | null, present: unknown): string {
  const scalar = new Scalar(value);
  if (isScalar(present) && present.type?.startsWith('QUOTE_') && value !== null) scalar.type = present.type;
  return stringify(scalar, { lineWidth: 0 }).trimEnd();
}

function indentAt(text: string, offset: number): string {
  return ' '.repeat(offset - (text.lastIndexOf('\n', offset - 1) + 1));
}
