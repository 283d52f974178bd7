import type { Prose, ProseNode } from '../../content/prose.ts';
import { escapeHtml } from '../parse-html.ts';

const known = new Set(
  'p h2 h3 ul ol li a strong em code pre blockquote table thead tbody tr th td img hr br sup'.split(' '),
);
const withoutEnd = new Set(['img', 'hr', 'br']);

/** HTML for feed readers: absolute addresses, no scripts, no styles. */
export function writeFeedHtml(prose: Prose, address: string): string {
  function write(node: ProseNode): string {
    if (typeof node === 'string') return escapeHtml(node);
    const [tag, attributes, ...children] = node;
    const inner = children.map(write).join('');
    if (!known.has(tag)) return inner;
    const written = Object.entries(attributes).map(([name, value]) => {
      const whole = name === 'href' || name === 'src' ? (URL.parse(value, address)?.href ?? '') : value;
      return ` ${name}="${escapeHtml(whole)}"`;
    });
    const opening = `<${tag}${written.join('')}>`;
    return withoutEnd.has(tag) ? opening : `${opening}${inner}</${tag}>`;
  }
  return prose.map(write).join('\n');
}
