import { isDeepStrictEqual } from 'node:util';
import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { parseYaml } from '../parse-yaml.ts';
import type { ItemOrigins } from './form-types.ts';
import { formatYaml, type TextStyle } from './format-yaml.ts';

export type { ItemOrigins } from './form-types.ts';

/**
 * The text with the new value. What did not change keeps its bytes: comments, order, quotation marks and line ends. Comments
 * follow a moved item; without origins, the items of a list keep their places.
 */
export function editYaml(text: string, value: unknown, origins: ItemOrigins = {}): string {
  const source = text.replaceAll('\r\n', '\n').replace(/^\uFEFF/, '');
  for (const style of ['present', 'quoted'] as const) {
    const edited = rewriteDocument(source, value, origins, style);
    const document = parseYaml(edited);
    if (document.errors.length > 0 || !isDeepStrictEqual(document.toJS(), value)) continue;
    const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
    return mark + (text.includes('\r\n') ? edited.replaceAll('\n', '\r\n') : edited);
  }
  throw new Error('the new values cannot be written as YAML');
}

function rewriteDocument(source: string, whole: unknown, origins: ItemOrigins, style: TextStyle): string {
  const document: Document = parseYaml(source, { keepSourceTokens: true });
  const root = document.contents;
  if (document.errors.length > 0) throw new Error('the file has errors of syntax');
  if (!root?.range) return source + stringify(whole);
  const [start] = root.range;
  return source.slice(0, start) + rewrite(root, start, whole, [], 0) + source.slice(endOf(root));

  /** The new text from `start`, which is behind the colon or the hyphen, to the end of the node. */
  function rewrite(node: Node, start: number, value: unknown, path: string[], column: number): string {
    const end = endOf(node);
    const present = source.slice(start, end);
    if (isDeepStrictEqual(node.toJS(document), value)) return present;
    if (isMap(node) && !node.flow && isObject(value)) {
      const edited = rewriteMap(node, start, value, path);
      if (edited !== undefined) return edited;
    }
    if (isSeq(node) && !node.flow && Array.isArray(value)) {
      const edited = rewriteList(node, start, value, path);
      if (edited !== undefined) return edited;
    }
    const valueStart = node.range?.[0] ?? start;
    const gap = source.slice(start, valueStart);
    const formatted = formatYaml(value, {
      column,
      style,
      present: node,
      source: source.slice(valueStart, end),
    });
    const text =
      isScalar(node) && gap && !formatted.startsWith('\n') ? gap + formatted.trimStart() : formatted;
    // The place of an empty value is right before its comment.
    return source[end] === '#' ? `${text} ` : text;
  }

  function rewriteMap(map: YAMLMap, start: number, value: Record<string, unknown>, path: string[]) {
    const column = columnAt(map.range?.[0] ?? start);
    const pairs = map.items as Pair<Node, Node | null>[];
    const names = pairs.map(({ key }) => String(key.toJSON()));
    const kept = names.filter(name => Object.hasOwn(value, name));
    if (kept.length === 0) return undefined;
    const written: { name: string; text: string }[] = [];
    let position = start;
    pairs.forEach(({ key, value: node }, index) => {
      const name = names[index] ?? '';
      const keyStart = key.range?.[0] ?? position;
      const lead = source.slice(position, keyStart);
      const colon = source.indexOf(':', key.range?.[1] ?? keyStart) + 1;
      const end = node ? endOf(node) : colon;
      position = endOfLine(end);
      if (!Object.hasOwn(value, name)) return;
      const inner = node
        ? rewrite(node, colon, value[name], [...path, name], column)
        : source.slice(colon, end);
      const text = source.slice(keyStart, colon) + inner + source.slice(end, position);
      // The first field of a list's item follows its hyphen.
      const firstLead = source.slice(start, pairs[0]?.key.range?.[0]);
      written.push({ name, text: (written.length === 0 ? firstLead : lead) + text });
    });
    Object.keys(value).forEach((name, index, all) => {
      if (names.includes(name)) return;
      const text = `\n${' '.repeat(column)}${formatKey(name)}:${formatYaml(value[name], { column, style })}`;
      const before = all.slice(0, index).findLast(one => written.some(({ name }) => name === one));
      const at = before === undefined ? written.length : written.findIndex(({ name }) => name === before) + 1;
      written.splice(at, 0, { name, text });
    });
    return written.map(({ text }) => text).join('');
  }

  function rewriteList(list: YAMLSeq, start: number, values: unknown[], path: string[]) {
    const items = readItems(list, start);
    const column = columnAt(items[0]?.hyphen ?? start);
    const canMove = items.every(({ lead }) => lead.startsWith('\n'));
    const from = origins[path.join('/')] ?? values.map((_, index) => (index < items.length ? index : null));
    const isInPlace = from.length === items.length && from.every((index, place) => index === place);
    if (values.length === 0 || from.length !== values.length || !(canMove || isInPlace)) return undefined;
    return values
      .map((value, place) => {
        const item = items[from[place] ?? -1];
        const blankLines = (items[place] ?? items.at(-1))?.blankLines ?? '';
        const inPath = [...path, String(place)];
        if (!item)
          return `${blankLines}\n${' '.repeat(column)}-${formatYaml(value, { column, style, isItem: true })}`;
        const inner = rewrite(item.node, item.hyphen + 1, value, inPath, column);
        const rest = source.slice(endOf(item.node), item.lineEnd);
        return `${blankLines}${item.lead.slice(item.blankLines.length)}-${inner}${rest}`;
      })
      .join('');
  }

  /** `lead` is what stands between the line of the item before and the hyphen: blank lines, then comments. */
  function readItems(list: YAMLSeq, start: number) {
    const tokens = list.srcToken && 'items' in list.srcToken ? list.srcToken.items : [];
    let position = start;
    return (list.items as Node[]).map((node, index) => {
      const hyphen = tokens[index]?.start.find(({ type }) => type === 'seq-item-ind')?.offset ?? position;
      const lead = source.slice(position, hyphen);
      position = endOfLine(endOf(node));
      const [blankLines = ''] = /^(?:\n[ \t]*(?=\n))*/.exec(lead) ?? [];
      return { node, hyphen, lead, blankLines, lineEnd: position };
    });
  }

  /** A block of fields or items ends with its last line, so that a comment there belongs to it. */
  function endOf(node: Node): number {
    const [start = 0, valueEnd = 0] = node.range ?? [];
    if ((isMap(node) || isSeq(node)) && !node.flow) {
      const last = node.items.at(-1);
      const inner = (isMap(node) ? (last as Pair<Node, Node | null>).value : last) as Node | null;
      if (inner?.range) return endOfLine(endOf(inner));
    }
    return start + source.slice(start, valueEnd).trimEnd().length;
  }

  function endOfLine(offset: number): number {
    const end = source.indexOf('\n', offset);
    return end < 0 ? source.length : end;
  }

  function columnAt(offset: number): number {
    return offset - (source.lastIndexOf('\n', offset - 1) + 1);
  }
}

function formatKey(name: string): string {
  return formatYaml(name, { column: 0, style: 'present' }).trimStart();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
