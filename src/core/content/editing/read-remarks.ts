import { isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';
import { parseYaml } from '../parse-yaml.ts';
import { splitFrontMatter } from '../source-positions.ts';
import type { Remark, Remarks } from './form-types.ts';

export function readRemarks(file: string, text: string): Remarks {
  const source = text.replaceAll('\r\n', '\n').replace(/^\uFEFF/, '');
  const yaml = file.endsWith('.md') ? (splitFrontMatter(source)?.front ?? '') : source;
  const lines = yaml.split('\n');
  const fields: Record<string, Remark> = {};
  const { contents } = parseYaml(yaml);
  const firstLine = lineAt(contents?.range?.[0] ?? 0);
  if (contents) walk(contents, []);
  return { about: readAbove(firstLine), fields };

  function walk(node: Node | null, path: string[]): void {
    if (isMap(node))
      for (const { key, value } of node.items as Pair<Node, Node | null>[])
        add(key, value, [...path, String(key.toJSON())]);
    if (isSeq(node))
      for (const [index, item] of node.items.entries())
        add(item as Node, item as Node, [...path, String(index)]);
  }

  function add(start: Node, value: Node | null, path: string[]): void {
    const line = lineAt(start.range?.[0] ?? 0);
    const inline = clean([
      isScalar(value) ? (value.comment ?? '') : (/:\s+#(.*)$/.exec(lines[line] ?? '')?.[1] ?? ''),
    ]);
    const isGroupItem = start === value && !isScalar(value);
    const above = line === firstLine || (isGroupItem && isMap(value)) ? '' : readAbove(line);
    const [, isPrescribed, fact = ''] = /^(prescribed)(?:: (.*))?$/.exec(inline) ?? [];
    const help = [above, isPrescribed || isGroupItem ? '' : inline].filter(Boolean).join(' ');
    if (help || isPrescribed)
      fields[path.join('/')] = { ...(help && { help }), ...(isPrescribed && { prescribed: fact }) };
    walk(value, path);
  }

  function lineAt(offset: number): number {
    return yaml.slice(0, offset).split('\n').length - 1;
  }

  function readAbove(line: number): string {
    const above: string[] = [];
    for (let index = line - 1; /^\s*#/.test(lines[index] ?? ''); index -= 1)
      above.unshift(lines[index] ?? '');
    return clean(above);
  }
}

function clean(comments: string[]): string {
  return comments
    .map(comment => comment.replace(/^\s*#?\s*/, '').trim())
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
