import type { Prose, ProseNode } from '../../content/prose.ts';
import type { Draft, IssueWords } from './newsletter-draft.ts';
import { indent, inline, textWidth, underline, wrap } from './text-lines.ts';

export function writeText({ subject, web, body }: Draft, words: IssueWords, leaveMark: string): string {
  const { why, leave, address } = words;
  return [
    underline(wrap(subject), '='),
    ...(web ? [`${words.web}: ${web}`] : []),
    ...namePictures(body, words.picture).map(node => writeBlock(node)),
    '-'.repeat(textWidth),
    wrap(why),
    `${leave}:\n${leaveMark}`,
    `${wrap(address)}\n`,
  ].join('\n\n');
}

function namePictures(prose: Prose, picture: string): Prose {
  return prose.map(node => {
    if (typeof node === 'string') return node;
    const [tag, attributes, ...children] = node;
    if (tag === 'img') return `[${picture}: ${attributes.alt}]`;
    return [tag, attributes, ...namePictures(children, picture)];
  });
}

function writeBlock(node: ProseNode, most = textWidth): string {
  if (typeof node === 'string') return wrap(node, most);
  const [tag, { start = '1' }, ...children] = node;
  switch (tag) {
    case 'h2':
      return `\n${underline(wrap(inline(children), most), '-')}`;
    case 'ul':
      return writeList(children, () => '- ', most);
    case 'ol':
      return writeList(children, index => `${index + Number(start)}. `, most);
    case 'blockquote':
      return indent(children.map(child => writeBlock(child, most - 2)).join('\n\n'), '> ');
    case 'pre':
      // Not wrapped: a broken line is another command.
      return indent(inline(children).trimEnd(), '    ');
    case 'table':
      return writeTable(node, most);
    case 'hr':
      return '* * *';
    default:
      return wrap(inline(children), most);
  }
}

/** Entries of more than one line are separated by a blank line. */
function writeList(entries: Prose, markOf: (index: number) => string, most: number): string {
  const written = entries.map((entry, index) => {
    const mark = markOf(index);
    const children = typeof entry === 'string' ? [entry] : childrenOf(entry);
    const room = most - mark.length;
    const isPlain = !children.some(isBlock);
    const blocks = isPlain ? [wrap(inline(children), room)] : children.map(child => writeBlock(child, room));
    return mark + indent(blocks.join('\n\n'), ' '.repeat(mark.length)).slice(mark.length);
  });
  return written.join(written.some(entry => entry.includes('\n')) ? '\n\n' : '\n');
}

const blockTags = ['p', 'ul', 'ol', 'h2', 'h3', 'blockquote', 'pre', 'table', 'hr'];

function isBlock(node: ProseNode): boolean {
  return Array.isArray(node) && blockTags.includes(node[0]);
}

/** Columns would not fit: each row is a list entry, and each cell is named by its column. */
function writeTable(table: ProseNode, most: number): string {
  const [heads = [], ...rows] = rowsOf(table).map(row =>
    childrenOf(row).map(cell => inline(childrenOf(cell))),
  );
  const entries = rows.map(cells => {
    const lines = cells.flatMap((cell, index) => {
      if (cell.trim() === '') return [];
      return [wrap(heads[index]?.trim() ? `${heads[index]}: ${cell}` : cell, most - 2)];
    });
    return `- ${indent(lines.join('\n'), '  ').slice(2)}`;
  });
  return entries.join('\n\n');
}

function rowsOf(node: ProseNode): ProseNode[] {
  return childrenOf(node).flatMap(child => (child[0] === 'tr' ? [child] : rowsOf(child)));
}

function childrenOf(node: ProseNode): Prose {
  return typeof node === 'string' ? [] : (node.slice(2) as Prose);
}
