import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html, parse, serialize } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Parent = DefaultTreeAdapterTypes.ParentNode;

const kept = new Set(['href', 'id', 'lang', 'charset', 'name', 'content', 'type', 'for', 'action', 'method']);
const dropped = new Set(['script', 'style', 'link', 'svg', 'img', 'picture', 'source', 'noscript']);

/** The words of a page and their order, and nothing that says what they look like or what they do. */
export function stripToText(document: string): string {
  const tree = parse(document);
  strip(tree);
  return serialize(tree);
}

function strip(parent: Parent): void {
  for (const child of [...parent.childNodes]) {
    if (isDropped(child)) defaultTreeAdapter.detachNode(child);
    else if ('attrs' in child) {
      child.attrs = child.attrs.filter(({ name }) => kept.has(name));
      strip(child);
    }
  }
}

/** Of what the head says, a browser needs the letters and the width; the title stays as the page's name. */
function isDropped(node: Node): boolean {
  if (!('tagName' in node)) return node.nodeName === '#comment';
  if (dropped.has(node.tagName)) return true;
  if (node.tagName !== 'meta' || node.namespaceURI !== html.NS.HTML) return false;
  return !node.attrs.some(({ name, value }) => name === 'charset' || value === 'viewport');
}
