import type { Prose, ProseNode } from '../../content/prose.ts';
import { indent, inline, textWidth, underline, wrap } from './text-lines.ts';
import type { Draft, IssueWords } from './write-issue.ts';
import { writeTable } from './write-table.ts';

/** An issue as plain text: lines that fit any window, and every link's address beside its words. */
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

/** Nobody sees one in a text: what is on it is said. */
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
      // As it is: a line that is broken is another command.
      return indent(inline(children).trimEnd(), '    ');
    case 'table':
      return writeTable(node, most);
    case 'hr':
      return '* * *';
    default:
      return wrap(inline(children), most);
  }
}

/** Entries of more than a line stand apart; what follows an entry's first line is set under its words. */
function writeList(entries: Prose, markOf: (index: number) => string, most: number): string {
  const written = entries.map((entry, index) => {
    const mark = markOf(index);
    const children = typeof entry === 'string' ? [entry] : (entry.slice(2) as Prose);
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
