import { type DefaultTreeAdapterTypes, parse } from 'parse5';

export type HtmlElement = {
  tagName: string;
  attributes: Map<string, string>;
  text: string;
  parent: HtmlElement | undefined;
};

/** Several checks read each page, and `npm run dev` repeats them after each edit, of which most pages show nothing. */
const parsed = new Map<string, HtmlElement[]>();
const maxParsed = 100;

/** Every element of a page. Parsed without scripting, so that the content of noscript is included. */
export function listElements(html: string): HtmlElement[] {
  const known = parsed.get(html);
  if (known) return known;
  if (parsed.size >= maxParsed) parsed.clear();
  const elements: HtmlElement[] = [];
  (function visit(node: DefaultTreeAdapterTypes.Node, parent?: HtmlElement): void {
    let element = parent;
    if ('tagName' in node) {
      element = {
        tagName: node.tagName,
        attributes: new Map(node.attrs.map(({ name, value }) => [name, value])),
        text: node.childNodes.map(child => ('value' in child ? child.value : '')).join(''),
        parent,
      };
      elements.push(element);
    }
    if ('childNodes' in node) for (const child of node.childNodes) visit(child, element);
    if ('content' in node) visit(node.content, element);
  })(parse(html, { scriptingEnabled: false }));
  parsed.set(html, elements);
  return elements;
}
