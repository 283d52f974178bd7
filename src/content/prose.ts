import type { Heading, Link, List, Nodes, Parents } from 'mdast';
import { fromMarkdown, type Options } from 'mdast-util-from-markdown';

export type ProseNode = string | [tag: string, attributes: Record<string, string>, ...children: ProseNode[]];
export type Prose = ProseNode[];

export type ProseMistake = { line: number; reason: string };
export type ProseResult = { prose: Prose; mistakes: ProseMistake[] };

export type ProseLook = {
  extensions: Pick<Options, 'extensions' | 'mdastExtensions'>;
  convert(node: Nodes, tools: ProseTools): ProseNode[] | undefined;
  end?(tools: ProseTools): ProseNode[];
};

export type ProseTools = {
  convertAll(parent: Parents): ProseNode[];
  refuse(node: Nodes, reason: string): ProseNode[];
};

export function parseProse(markdown: string, look?: ProseLook): ProseResult {
  const mistakes: ProseMistake[] = [];
  const slugs = new Set<string>();
  const tools: ProseTools = { convertAll, refuse };

  function convert(node: Nodes): ProseNode[] {
    const own = look?.convert(node, tools);
    if (own) return own;
    const children = () => convertAll(node as Parents);
    switch (node.type) {
      case 'root':
        return children();
      case 'text':
        return [node.value.replaceAll('\n', ' ')];
      case 'paragraph':
        return [['p', {}, ...children()]];
      case 'strong':
        return [['strong', {}, ...children()]];
      case 'emphasis':
        return [['em', {}, ...children()]];
      case 'listItem':
        return [['li', {}, ...unwrapSingle(children())]];
      case 'list':
        return [[node.ordered ? 'ol' : 'ul', startOf(node), ...children()]];
      case 'heading':
        if (node.depth === 2 || node.depth === 3) {
          const words = wordsOf(node, 'has a heading without words');
          return [[`h${node.depth}`, { id: uniqueSlug(plainText(words)) }, ...words]];
        }
        return refuse(node, `has a heading of level ${node.depth}; use ## or ###`);
      case 'link':
        return convertLink(node);
      default:
        return refuse(node, `holds ${names[node.type] ?? node.type}, which the pages have no look for`);
    }
  }

  function convertLink(node: Link): ProseNode[] {
    const { url } = node;
    if (!/^(https:\/\/|\/(?![/\\])|#|mailto:|tel:)/.test(url))
      return refuse(node, `links to '${url}'; a link begins with https://, /, #, mailto: or tel:`);
    if (!URL.canParse(url, 'https://localhost'))
      return refuse(node, `links to '${url}', which is no address`);
    return [['a', { href: url }, ...wordsOf(node, 'has a link without words')]];
  }

  function wordsOf(node: Heading | Link, reason: string): ProseNode[] {
    const before = mistakes.length;
    const words = convertAll(node);
    // What was in it may have been refused already.
    if (plainText(words).trim() === '' && mistakes.length === before) refuse(node, reason);
    return words;
  }

  function convertAll(parent: Parents): ProseNode[] {
    return parent.children.flatMap(child => convert(child));
  }

  function refuse(node: Nodes, reason: string): ProseNode[] {
    mistakes.push({ line: node.position?.start.line ?? 1, reason });
    return [];
  }

  function uniqueSlug(text: string): string {
    const slug = toSlug(text);
    let unique = slug;
    for (let count = 2; slugs.has(unique); count += 1) unique = `${slug}-${count}`;
    slugs.add(unique);
    return unique;
  }

  const prose = convert(fromMarkdown(markdown, look?.extensions));
  return { prose: [...prose, ...(look?.end?.(tools) ?? [])], mistakes };
}

export function countWords(prose: Prose): number {
  return plainText(prose.flatMap(node => [node, ' ']))
    .split(/\s+/)
    .filter(Boolean).length;
}

export function plainText(prose: Prose): string {
  return prose.map(node => (typeof node === 'string' ? node : plainText(node.slice(2) as Prose))).join('');
}

const names: Record<string, string> = {
  html: 'raw HTML',
  inlineCode: 'code',
  thematicBreak: 'a rule',
  break: 'a forced line break',
  definition: 'a link by reference; write [words](address)',
  linkReference: 'a link by reference; write [words](address)',
  imageReference: 'a picture',
  image: 'a picture',
  code: 'a code block',
  blockquote: 'a quotation',
};

function unwrapSingle(children: ProseNode[]): ProseNode[] {
  const [first, ...rest] = children;
  return rest.length === 0 && Array.isArray(first) && first[0] === 'p'
    ? (first.slice(2) as ProseNode[])
    : children;
}

/** A list that continues after other text keeps its numbers. */
function startOf({ ordered, start }: List): Record<string, string> {
  const first = start ?? 1;
  return ordered && first !== 1 ? { start: String(first) } : {};
}

export function toSlug(text: string): string {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'section'
  );
}
