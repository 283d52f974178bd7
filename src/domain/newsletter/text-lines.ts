import type { Prose, ProseNode } from '../../content/prose.ts';

export const textWidth = 76;

export function inline(nodes: Prose): string {
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

/** Breaks at spaces only: a link longer than a line stays whole. */
export function wrap(text: string, most = textWidth): string {
  const lines = [''];
  for (const word of text.split(/[ \t\n]+/).filter(Boolean)) {
    const line = lines.at(-1) ?? '';
    if (line && line.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.join('\n');
}

export function underline(text: string, sign: string): string {
  return `${text}\n${sign.repeat(Math.max(...text.split('\n').map(line => line.length)))}`;
}

/** Leaves no trailing spaces. */
export function indent(text: string, sign: string): string {
  return text.replaceAll(/^.*$/gm, line => (sign + line).trimEnd());
}
