import type { Prose, ProseNode } from '../../core/content/prose.ts';

/** For feed readers and mail clients, which lack our styles: callouts become quotations, notes follow a rule. */
export function simplifyProse(body: Prose): Prose {
  return body.flatMap(simplifyNode);
}

function simplifyNode(node: ProseNode): ProseNode[] {
  if (typeof node === 'string') return [node];
  const [tag, attributes, ...children] = node;
  const inner = () => trimEnd(simplifyProse(children));
  switch (tag) {
    case 'a':
      if (attributes.role === 'doc-backlink') return [];
      return attributes.role === 'doc-noteref'
        ? ['[', ...inner(), ']']
        : [[tag, pickAttributes(attributes), ...inner()]];
    case 'aside': {
      const [label, ...rest] = children;
      return [
        ['blockquote', {}, ['p', {}, ['strong', {}, ...simplifyChildren(label)]], ...simplifyProse(rest)],
      ];
    }
    case 'section':
      return [['hr', {}], ...inner()];
    case 'img':
      return [['p', {}, [tag, pickAttributes(attributes)]]];
    case 'figcaption':
      return [['p', {}, ['em', {}, ...inner()]]];
    case 'div':
    case 'figure':
    case 'span':
      return inner();
    default:
      return [[tag, pickAttributes(attributes), ...inner()]];
  }
}

function pickAttributes(attributes: Record<string, string>): Record<string, string> {
  const { href, src, alt, width, height, start } = attributes;
  const entries = Object.entries({ href, src, alt, width, height, start });
  return Object.fromEntries(entries.filter((one): one is [string, string] => one[1] !== undefined));
}

function simplifyChildren(node: ProseNode | undefined): Prose {
  if (node === undefined || typeof node === 'string') return node ? [node] : [];
  return simplifyProse(node.slice(2) as Prose);
}

function trimEnd(prose: Prose): Prose {
  return prose.at(-1) === ' ' ? prose.slice(0, -1) : prose;
}
