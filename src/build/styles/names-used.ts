import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { nameOfAttribute } from './names-in.ts';

/** What the browser and the boot script put on an element of a page, whatever its HTML has. React brings the whole sheet. */
const setLater = ['open', 'hidden', 'aria-pressed', 'data-script', 'data-motion', 'data-off', 'data-held'];

/** The elements of a document, its classes and ids with their mark, and its attributes, as `namesIn` writes them. */
export function namesUsed(html: string): Set<string> {
  const names = new Set(setLater.map(name => `[${name}]`));

  function visit(node: DefaultTreeAdapterTypes.Node): void {
    if ('tagName' in node) {
      names.add(node.tagName);
      for (const { name, value } of node.attrs) {
        names.add(`[${name}]`).add(nameOfAttribute(name, value));
        if (name === 'class') for (const one of value.split(/\s+/)) names.add(`.${one}`);
        if (name === 'id') names.add(`#${value}`);
      }
    }
    if ('childNodes' in node) node.childNodes.forEach(visit);
    if ('content' in node) visit(node.content);
  }

  // As a browser without JavaScript reads it: what stands in a noscript counts, too.
  visit(parse(html, { scriptingEnabled: false }));
  return names;
}
