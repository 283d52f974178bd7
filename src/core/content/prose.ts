import type { Heading, Link, List, Nodes, Parents } from 'mdast';
import { fromMarkdown, type Options } from 'mdast-util-from-markdown';

export type ProseNode = string | [tag: string, attributes: Record<string, string>, ...children: ProseNode[]];
export type Prose = ProseNode[];

export type ProseError = { line: number; reason: string };
export type ProseResult = { prose: Prose; errors: ProseError[] };

export type ProseExtension = {
  parserOptions: Pick<Options, 'extensions' | 'mdastExtensions'>;
  convert(node: Nodes, tools: ProseTools): ProseNode[] | undefined;
  end?(tools: ProseTools): ProseNode[];
};

export type ProseTools = {
  convertAll(parent: Parents): ProseNode[];
  addError(node: Nodes, reason: string): ProseNode[];
};

export function parseProse(markdown: string, extension?: ProseExtension): ProseResult {
  const errors: ProseError[] = [];
  const slugs = new Set<string>();
  const tools: ProseTools = { convertAll, addError };

  function convert(node: Nodes): ProseNode[] {
    const own = extension?.convert(node, tools);
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
        return [[node.ordered ? 'ol' : 'ul', getListAttributes(node), ...children()]];
      case 'heading':
        if (node.depth === 2 || node.depth === 3) {
          const text = convertText(node, 'has an empty heading');
          return [[`h${node.depth}`, { id: uniqueSlug(plainText(text)) }, ...text]];
        }
        return addError(node, `has a heading of level ${node.depth}; use ## or ###`);
      case 'link':
        return convertLink(node);
      default:
        return addError(node, `contains ${nodeNames[node.type] ?? node.type}, which is not supported here`);
    }
  }

  function convertLink(node: Link): ProseNode[] {
    const { url } = node;
    if (!/^(https:\/\/|\/(?![/\\])|#|mailto:|tel:)/.test(url))
      return addError(node, `links to '${url}'; a link begins with https://, /, #, mailto: or tel:`);
    if (!URL.canParse(url, 'https://localhost'))
      return addError(node, `links to '${url}', which is not a valid address`);
    return [['a', { href: url }, ...convertText(node, 'has a link without text')]];
  }

  function convertText(node: Heading | Link, reason: string): ProseNode[] {
    const before = errors.length;
    const text = convertAll(node);
    if (plainText(text).trim() === '' && errors.length === before) addError(node, reason);
    return text;
  }

  function convertAll(parent: Parents): ProseNode[] {
    return parent.children.flatMap(child => convert(child));
  }

  function addError(node: Nodes, reason: string): ProseNode[] {
    errors.push({ line: node.position?.start.line ?? 1, reason });
    return [];
  }

  function uniqueSlug(text: string): string {
    const slug = toSlug(text);
    let unique = slug;
    for (let count = 2; slugs.has(unique); count += 1) unique = `${slug}-${count}`;
    slugs.add(unique);
    return unique;
  }

  const prose = convert(fromMarkdown(markdown, extension?.parserOptions));
  return { prose: [...prose, ...(extension?.end?.(tools) ?? [])], errors };
}

export function countWords(prose: Prose): number {
  return separateBlocks(prose).split(/\s+/).filter(Boolean).length;
}

function separateBlocks(prose: Prose): string {
  return prose
    .map(node => {
      if (typeof node === 'string') return node;
      const inner = separateBlocks(node.slice(2) as Prose);
      return /^(a|em|strong|code|sup|span)$/.test(node[0]) ? inner : ` ${inner} `;
    })
    .join('');
}

export function plainText(prose: Prose): string {
  return prose.map(node => (typeof node === 'string' ? node : plainText(node.slice(2) as Prose))).join('');
}

const nodeNames: Record<string, string> = {
  html: 'raw HTML',
  inlineCode: 'code',
  thematicBreak: 'a rule',
  break: 'a forced line break',
  definition: 'a link by reference; write [text](address)',
  linkReference: 'a link by reference; write [text](address)',
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

function getListAttributes({ ordered, start }: List): Record<string, string> {
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
