import type { Blockquote, Code, Nodes, Paragraph, Table, Text } from 'mdast';
import { gfmFootnoteFromMarkdown } from 'mdast-util-gfm-footnote';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmFootnote } from 'micromark-extension-gfm-footnote';
import { gfmTable } from 'micromark-extension-gfm-table';
import { truncate } from '../../core/content/fields.ts';
import {
  type ProseNode,
  type ProseResult,
  type ProseTools,
  parseProse,
  plainText,
} from '../../core/content/prose.ts';
import { calloutNames, type PostImage, type PostLabels } from './blog-types.ts';
import { findLanguage, languages } from './code-languages.ts';
import { createFootnotes, hasFootnoteReference } from './footnotes.ts';
import { createImageCollector } from './post-images.ts';

export const parserOptions = {
  extensions: [gfmTable(), gfmFootnote()],
  mdastExtensions: [gfmTableFromMarkdown(), gfmFootnoteFromMarkdown()],
};

type PostProse = ProseResult & { images: PostImage[] };

export function parsePostProse(markdown: string, labels: PostLabels, folder: string): PostProse {
  const footnotes = createFootnotes(labels);
  const images = createImageCollector(folder);

  function convert(node: Nodes, tools: ProseTools): ProseNode[] | undefined {
    switch (node.type) {
      case 'root':
        footnotes.find(node, tools);
        return undefined;
      case 'text':
        return findBrokenLink(node, tools) ?? footnotes.findMissing(node, tools);
      case 'heading':
        return hasFootnoteReference(node)
          ? tools.addError(node, 'has a footnote in a heading; put it in the text below')
          : undefined;
      case 'inlineCode':
        return [['code', {}, node.value]];
      case 'thematicBreak':
        return [['hr', {}]];
      case 'code':
        return convertCode(node, labels, tools);
      case 'table':
        return convertTable(node, labels, tools);
      case 'paragraph':
        return findBrokenTable(node, tools) ?? images.convert(node, tools);
      case 'image':
        return tools.addError(node, 'has a picture within a paragraph; give it a paragraph of its own');
      case 'blockquote':
        return convertCallout(node, labels, tools) ?? [['blockquote', {}, ...tools.convertAll(node)]];
      case 'footnoteReference':
        return footnotes.refer(node);
      case 'footnoteDefinition':
        return [];
      default:
        return undefined;
    }
  }

  const result = parseProse(markdown, { parserOptions, convert, end: footnotes.write });
  return { ...result, images: images.list() };
}

function convertCode(node: Code, labels: PostLabels, { addError }: ProseTools): ProseNode[] {
  const language = findLanguage(node.lang ?? 'text');
  if (!language) {
    const known = `expected one of ${languages.join(', ')}`;
    return addError(node, `has code in '${truncate(node.lang ?? '')}', ${known}`);
  }
  if (node.meta) return addError(node, `has '${truncate(node.meta)}' after the language of its code`);
  if (node.value.trim() === '') return addError(node, 'has an empty code block');
  const name = language === 'text' ? labels.code : `${labels.code}: ${language}`;
  const scrolling = { tabindex: '0', role: 'group', 'aria-label': name };
  return [['pre', scrolling, ['code', { class: `language-${language}` }, node.value]]];
}

function convertTable(table: Table, labels: PostLabels, tools: ProseTools): ProseNode[] {
  const [head, ...rows] = table.children.map(row => {
    const cells = row.children.map(cell => tools.convertAll(cell));
    return { row, cells };
  });
  if (!head) return [];
  if (rows.length === 0) return tools.addError(table, 'has a table without rows');
  if (head.cells.some(cell => plainText(cell).trim() === '') && plainText(head.cells.flat()).trim() === '')
    return tools.addError(table, 'has a table without headings');
  const long = rows.find(({ cells }) => cells.length > head.cells.length);
  if (long) {
    const reason = `has a table row of ${long.cells.length} cells below ${head.cells.length} headings`;
    return tools.addError(long.row, reason);
  }
  const aligned = (index: number): Record<string, string> => {
    const side = table.align?.[index];
    return side && side !== 'left' ? { class: `align-${side}` } : {};
  };
  const headings = head.cells.map(
    (cell, index): ProseNode => ['th', { scope: 'col', ...aligned(index) }, ...cell],
  );
  const body = rows.map(({ cells }): ProseNode => {
    const filled = head.cells.map((_, index) => cells[index] ?? []);
    return ['tr', {}, ...filled.map((cell, index): ProseNode => ['td', aligned(index), ...cell])];
  });
  const name = head.cells.map(cell => plainText(cell).trim()).filter(Boolean);
  const label = `${labels.table}: ${name.join(', ')}`;
  return [
    [
      'div',
      { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': label },
      ['table', {}, ['thead', {}, ['tr', {}, ...headings]], ['tbody', {}, ...body]],
    ],
  ];
}

/** Without this check, a broken link or picture would appear on the page as it was typed. */
function findBrokenLink(node: Text, { addError }: ProseTools): ProseNode[] | undefined {
  const [broken] = /(?:!?\[[^\]]*)?\]\([^)]*\)?/.exec(node.value) ?? [];
  return broken
    ? addError(
        node,
        `has '${truncate(broken)}', which is not a valid link or picture; an address contains no spaces`,
      )
    : undefined;
}

function findBrokenTable(node: Paragraph, { addError }: ProseTools): ProseNode[] | undefined {
  const [first] = node.children;
  return first?.type === 'text' && first.value.startsWith('|')
    ? addError(node, 'has a table that cannot be read; the line below its headings needs one --- per column')
    : undefined;
}

function convertCallout(node: Blockquote, labels: PostLabels, tools: ProseTools): ProseNode[] | undefined {
  const [first] = node.children;
  const [marker] = first?.type === 'paragraph' ? first.children : [];
  const match = marker?.type === 'text' ? /^\[!([^\]]*)\]/.exec(marker.value) : null;
  if (first?.type !== 'paragraph' || marker?.type !== 'text' || !match) return undefined;
  const name = calloutNames.find(one => one === match[1]?.toLowerCase());
  if (!name) {
    const known = calloutNames.map(one => `[!${one.toUpperCase()}]`).join(', ');
    return tools.addError(node, `begins with '${truncate(match[0].trim())}', expected one of ${known}`);
  }
  const textBeside = marker.value.slice(match[0].length);
  if (textBeside === '' && first.children[1]?.type === 'break')
    return tools.addError(node, `has spaces after [!${name.toUpperCase()}]; remove them`);
  if (/^[^\n]/.test(textBeside) || (textBeside === '' && first.children.length > 1))
    return tools.addError(node, `has text beside [!${name.toUpperCase()}]; put it on the next line`);
  const rest = textBeside.slice(1);
  const paragraph = [...(rest ? [{ ...marker, value: rest }] : []), ...first.children.slice(1)];
  const children = [
    ...(paragraph.length ? [{ ...first, children: paragraph }] : []),
    ...node.children.slice(1),
  ];
  if (children.length === 0) return tools.addError(node, `has no text below [!${name.toUpperCase()}]`);
  const label: ProseNode = ['p', { class: 'callout-label' }, labels.callouts[name]];
  const inner = tools.convertAll({ ...node, children });
  return [['aside', { class: `callout callout-${name}`, role: 'note' }, label, ...inner]];
}
