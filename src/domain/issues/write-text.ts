import type { Prose, ProseNode } from '../../content/prose.ts';
import type { Draft, IssueWords } from './write-issue.ts';

const width = 76;

/** An issue as plain text: lines that fit any window, and every link's address beside its words. */
export function writeText({ subject, body }: Draft, words: IssueWords, leaveMark: string): string {
  const { why, leave, address } = words;
  return [
    underline(wrap(subject), '='),
    ...body.map(node => writeBlock(node)),
    '-'.repeat(width),
    wrap(why),
    `${leave}:\n${leaveMark}`,
    `${wrap(address)}\n`,
  ].join('\n\n');
}

function writeBlock(node: ProseNode, most = width): string {
  if (typeof node === 'string') return wrap(node, most);
  const [tag, , ...children] = node;
  switch (tag) {
    case 'h2':
      return `\n${underline(wrap(inline(children), most), '-')}`;
    case 'ul':
      return writeList(children, () => '- ', most);
    case 'ol':
      return writeList(children, index => `${index + 1}. `, most);
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
    return mark + blocks.join('\n\n').replaceAll(/\n(?=.)/g, `\n${' '.repeat(mark.length)}`);
  });
  return written.join(written.some(entry => entry.includes('\n')) ? '\n\n' : '\n');
}

function isBlock(node: ProseNode): boolean {
  return Array.isArray(node) && ['p', 'ul', 'ol', 'h2', 'h3'].includes(node[0]);
}

function inline(nodes: Prose): string {
  return nodes.map(writeInline).join('');
}

function writeInline(node: ProseNode): string {
  if (typeof node === 'string') return node;
  const [tag, { href = '' }, ...children] = node;
  const words = inline(children);
  if (tag !== 'a') return words;
  const address = href.replace(/^(mailto|tel):/, '');
  const said = words.replaceAll(' ', '');
  return said === address || `${said}/` === address ? words : `${words} (${address})`;
}

/** Breaks lines at spaces alone: a link that is longer than a line stays whole. */
function wrap(text: string, most = width): string {
  const lines = [''];
  for (const word of text.split(/[ \t\n]+/).filter(Boolean)) {
    const line = lines.at(-1) ?? '';
    if (line && line.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.join('\n');
}

function underline(text: string, sign: string): string {
  return `${text}\n${sign.repeat(Math.max(...text.split('\n').map(line => line.length)))}`;
}
