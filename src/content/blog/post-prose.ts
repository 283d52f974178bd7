import type { Code, Nodes, Paragraph, Table, Text } from 'mdast';
import { gfmFootnoteFromMarkdown } from 'mdast-util-gfm-footnote';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmFootnote } from 'micromark-extension-gfm-footnote';
import { gfmTable } from 'micromark-extension-gfm-table';
import { clip } from '../fields.ts';
import { type ProseNode, type ProseResult, type ProseTools, parseProse, plainText } from '../prose.ts';
import { openCallout } from './callouts.ts';
import { createFootnotes, holdsReference } from './footnotes.ts';
import { findLanguage, languages } from './languages.ts';
import { createPictures } from './pictures.ts';
import type { PostPicture, PostWords } from './types.ts';

export const extensions = {
  extensions: [gfmTable(), gfmFootnote()],
  mdastExtensions: [gfmTableFromMarkdown(), gfmFootnoteFromMarkdown()],
};

type PostProse = ProseResult & { pictures: PostPicture[] };

export function parsePostProse(markdown: string, words: PostWords, folder: string): PostProse {
  const footnotes = createFootnotes(words);
  const pictures = createPictures(folder);

  function convert(node: Nodes, tools: ProseTools): ProseNode[] | undefined {
    switch (node.type) {
      case 'root':
        footnotes.find(node, tools);
        return undefined;
      case 'text':
        return findLostLink(node, tools) ?? footnotes.findLost(node, tools);
      case 'heading':
        return holdsReference(node)
          ? tools.refuse(node, 'has a footnote in a heading; put it into the text below')
          : undefined;
      case 'inlineCode':
        return [['code', {}, node.value]];
      case 'thematicBreak':
        return [['hr', {}]];
      case 'code':
        return convertCode(node, words, tools);
      case 'table':
        return convertTable(node, words, tools);
      case 'paragraph':
        return findLostTable(node, tools) ?? pictures.convert(node, tools);
      case 'image':
        return tools.refuse(node, 'has a picture within a paragraph; give it a paragraph of its own');
      case 'blockquote':
        return openCallout(node, words, tools) ?? [['blockquote', {}, ...tools.convertAll(node)]];
      case 'footnoteReference':
        return footnotes.refer(node);
      case 'footnoteDefinition':
        return [];
      default:
        return undefined;
    }
  }

  const result = parseProse(markdown, { extensions, convert, end: footnotes.write });
  return { ...result, pictures: pictures.listed() };
}

/** Focusable, so that it can be scrolled by keyboard. */
function convertCode(node: Code, words: PostWords, { refuse }: ProseTools): ProseNode[] {
  const language = findLanguage(node.lang ?? 'text');
  if (!language) {
    const known = `expected one of ${languages.join(', ')}`;
    return refuse(node, `has code in '${clip(node.lang ?? '')}', ${known}`);
  }
  if (node.meta) return refuse(node, `has '${clip(node.meta)}' after the language of its code`);
  if (node.value.trim() === '') return refuse(node, 'has a code block with nothing in it');
  const name = language === 'text' ? words.code : `${words.code}: ${language}`;
  const scrolling = { tabindex: '0', role: 'group', 'aria-label': name };
  return [['pre', scrolling, ['code', { class: `language-${language}` }, node.value]]];
}

function convertTable(table: Table, words: PostWords, tools: ProseTools): ProseNode[] {
  const [head, ...rows] = table.children.map(row => {
    const cells = row.children.map(cell => tools.convertAll(cell));
    return { row, cells };
  });
  if (!head) return [];
  if (rows.length === 0) return tools.refuse(table, 'has a table without rows');
  if (head.cells.some(cell => plainText(cell).trim() === '') && plainText(head.cells.flat()).trim() === '')
    return tools.refuse(table, 'has a table whose first line, its headings, is empty');
  const long = rows.find(({ cells }) => cells.length > head.cells.length);
  if (long) {
    const reason = `has ${long.cells.length} cells in a line of a table that has ${head.cells.length} headings`;
    return tools.refuse(long.row, reason);
  }
  const aligned = (index: number): Record<string, string> => {
    const side = table.align?.[index];
    return side && side !== 'left' ? { class: `align-${side}` } : {};
  };
  const heads = head.cells.map(
    (cell, index): ProseNode => ['th', { scope: 'col', ...aligned(index) }, ...cell],
  );
  const lines = rows.map(({ cells }): ProseNode => {
    const whole = head.cells.map((_, index) => cells[index] ?? []);
    return ['tr', {}, ...whole.map((cell, index): ProseNode => ['td', aligned(index), ...cell])];
  });
  const name = head.cells.map(cell => plainText(cell).trim()).filter(Boolean);
  const label = `${words.table}: ${name.join(', ')}`;
  return [
    [
      'div',
      { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': label },
      ['table', {}, ['thead', {}, ['tr', {}, ...heads]], ['tbody', {}, ...lines]],
    ],
  ];
}

/** A broken link or picture would be shown as it was typed. */
function findLostLink(node: Text, { refuse }: ProseTools): ProseNode[] | undefined {
  const [lost] = /(?:!?\[[^\]]*)?\]\([^)]*\)?/.exec(node.value) ?? [];
  return lost
    ? refuse(node, `has '${clip(lost)}', which is no link and no picture; an address has no spaces in it`)
    : undefined;
}

/** The same for a table: no sentence begins with a bar. */
function findLostTable(node: Paragraph, { refuse }: ProseTools): ProseNode[] | undefined {
  const [first] = node.children;
  return first?.type === 'text' && first.value.startsWith('|')
    ? refuse(node, 'has a table that cannot be read; below its headings stands a line with one --- for each')
    : undefined;
}
