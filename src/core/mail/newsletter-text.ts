import type { Prose, ProseNode } from '../content/prose.ts';
import type { IssueTexts, NewsletterDraft } from './mail-html.ts';

const textWidth = 76;

export function renderNewsletterText(
  { subject, webUrl, body }: NewsletterDraft,
  texts: IssueTexts,
  unsubscribeUrl: string,
): string {
  const { reason, unsubscribe, address } = texts;
  return [
    underline(wrap(subject), '='),
    ...(webUrl ? [`${texts.readOnWeb}: ${webUrl}`] : []),
    renderProseText(describeImages(body, texts.imageLabel)),
    '-'.repeat(textWidth),
    wrap(reason),
    `${unsubscribe}:\n${unsubscribeUrl}`,
    `${wrap(address)}\n`,
  ].join('\n\n');
}

export function renderProseText(prose: Prose): string {
  return prose.map(node => renderBlock(node)).join('\n\n');
}

function describeImages(prose: Prose, imageLabel: string): Prose {
  return prose.map(node => {
    if (typeof node === 'string') return node;
    const [tag, attributes, ...children] = node;
    if (tag === 'img') return `[${imageLabel}: ${attributes.alt}]`;
    return [tag, attributes, ...describeImages(children, imageLabel)];
  });
}

function renderBlock(node: ProseNode, maxWidth = textWidth): string {
  if (typeof node === 'string') return wrap(node, maxWidth);
  const [tag, { start = '1' }, ...children] = node;
  switch (tag) {
    case 'h2':
      return `\n${underline(wrap(renderInline(children), maxWidth), '-')}`;
    case 'ul':
      return renderList(children, () => '- ', maxWidth);
    case 'ol':
      return renderList(children, index => `${index + Number(start)}. `, maxWidth);
    case 'blockquote':
      return indent(children.map(child => renderBlock(child, maxWidth - 2)).join('\n\n'), '> ');
    case 'pre':
      // Code is not wrapped: a command that is broken into two lines does something else.
      return indent(renderInline(children).trimEnd(), '    ');
    case 'table':
      return renderTable(node, maxWidth);
    case 'hr':
      return '* * *';
    default:
      return wrap(renderInline(children), maxWidth);
  }
}

function renderList(entries: Prose, createMarker: (index: number) => string, maxWidth: number): string {
  const rendered = entries.map((entry, index) => {
    const marker = createMarker(index);
    const children = typeof entry === 'string' ? [entry] : getChildren(entry);
    const width = maxWidth - marker.length;
    const isPlain = !children.some(isBlock);
    const blocks = isPlain
      ? [wrap(renderInline(children), width)]
      : children.map(child => renderBlock(child, width));
    return marker + indent(blocks.join('\n\n'), ' '.repeat(marker.length)).slice(marker.length);
  });
  return rendered.join(rendered.some(entry => entry.includes('\n')) ? '\n\n' : '\n');
}

const blockTags = ['p', 'ul', 'ol', 'h2', 'h3', 'blockquote', 'pre', 'table', 'hr'];

function isBlock(node: ProseNode): boolean {
  return Array.isArray(node) && blockTags.includes(node[0]);
}

function renderTable(table: ProseNode, maxWidth: number): string {
  const [headings = [], ...rows] = listRows(table).map(row =>
    getChildren(row).map(cell => renderInline(getChildren(cell))),
  );
  const entries = rows.map(cells => {
    const lines = cells.flatMap((cell, index) => {
      if (cell.trim() === '') return [];
      return [wrap(headings[index]?.trim() ? `${headings[index]}: ${cell}` : cell, maxWidth - 2)];
    });
    return `- ${indent(lines.join('\n'), '  ').slice(2)}`;
  });
  return entries.join('\n\n');
}

function listRows(node: ProseNode): ProseNode[] {
  return getChildren(node).flatMap(child => (child[0] === 'tr' ? [child] : listRows(child)));
}

function getChildren(node: ProseNode): Prose {
  return typeof node === 'string' ? [] : (node.slice(2) as Prose);
}

function renderInline(nodes: Prose): string {
  return nodes.map(renderInlineNode).join('');
}

function renderInlineNode(node: ProseNode): string {
  if (typeof node === 'string') return node;
  const [tag, { href = '' }, ...children] = node;
  const text = renderInline(children);
  if (tag !== 'a') return text;
  const address = href.replace(/^(mailto|tel):/, '');
  const label = text.replaceAll(' ', '');
  return label === address || `${label}/` === address ? text : `${text} (${address})`;
}

/** Breaks at spaces only: a link longer than a line stays whole. */
function wrap(text: string, maxWidth = textWidth): string {
  const lines = [''];
  for (const word of text.split(/[ \t\n]+/).filter(Boolean)) {
    const line = lines.at(-1) ?? '';
    if (line && line.length + 1 + word.length > maxWidth) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.join('\n');
}

function underline(text: string, character: string): string {
  return `${text}\n${character.repeat(Math.max(...text.split('\n').map(line => line.length)))}`;
}

function indent(text: string, prefix: string): string {
  return text.replaceAll(/^.*$/gm, line => (prefix + line).trimEnd());
}
