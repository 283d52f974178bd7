import type { Prose, ProseNode } from '../prose.ts';

/** For feed readers and mailboxes, which have none of our styles: callouts become quotations, notes stand below a rule. */
export function plainProse(body: Prose): Prose {
  return body.flatMap(plain);
}

function plain(node: ProseNode): ProseNode[] {
  if (typeof node === 'string') return [node];
  const [tag, attributes, ...children] = node;
  const inner = () => trimEnd(plainProse(children));
  switch (tag) {
    case 'a':
      if (attributes.role === 'doc-backlink') return [];
      return attributes.role === 'doc-noteref'
        ? ['[', ...inner(), ']']
        : [[tag, keep(attributes), ...inner()]];
    case 'aside': {
      const [label, ...rest] = children;
      return [['blockquote', {}, ['p', {}, ['strong', {}, ...words(label)]], ...plainProse(rest)]];
    }
    case 'section':
      return [['hr', {}], ...inner()];
    case 'img':
      return [['p', {}, [tag, keep(attributes)]]];
    case 'figcaption':
      return [['p', {}, ['em', {}, ...inner()]]];
    case 'div':
    case 'figure':
    case 'span':
      return inner();
    default:
      return [[tag, keep(attributes), ...inner()]];
  }
}

function keep(attributes: Record<string, string>): Record<string, string> {
  const { href, src, alt, width, height, start } = attributes;
  const kept = Object.entries({ href, src, alt, width, height, start });
  return Object.fromEntries(kept.filter((one): one is [string, string] => one[1] !== undefined));
}

function words(node: ProseNode | undefined): Prose {
  if (node === undefined || typeof node === 'string') return node ? [node] : [];
  return plainProse(node.slice(2) as Prose);
}

/** A removed back link leaves the space before it. */
function trimEnd(prose: Prose): Prose {
  return prose.at(-1) === ' ' ? prose.slice(0, -1) : prose;
}
