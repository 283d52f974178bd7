import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Element = DefaultTreeAdapterTypes.Element;

const dataTypes = new Set(['application/json', 'application/ld+json']);
const addressAttributes = new Set(['src', 'srcset', 'href', 'action', 'formaction', 'poster', 'data']);

/**
 * What in a page breaks the policy that every page is served under: a browser would block it, so the build stops. The
 * policy knows one style sheet by its digest.
 */
export function findPolicyBreaks(html: string, sheet?: string): string[] {
  const breaks: string[] = [];

  function visit(node: DefaultTreeAdapterTypes.Node): void {
    if ('tagName' in node) breaks.push(...checkElement(node, sheet));
    if ('childNodes' in node) node.childNodes.forEach(visit);
    if ('content' in node) visit(node.content);
  }

  // As a browser without JavaScript reads it: what stands in a noscript is looked at, too.
  visit(parse(html, { scriptingEnabled: false }));
  return breaks;
}

function checkElement(element: Element, sheet: string | undefined): string[] {
  const { tagName } = element;
  const attributes = new Map(element.attrs.map(({ name, value }) => [name, value]));
  const breaks: string[] = [];
  if (tagName === 'script' && !attributes.has('src') && !dataTypes.has(attributes.get('type') ?? '')) {
    breaks.push('an inline script');
  }
  if (tagName === 'style' && textOf(element) !== sheet) breaks.push('an inline style sheet');
  if (tagName === 'base') breaks.push('a base element');
  for (const [name, value] of attributes) {
    if (name === 'style') breaks.push(`a style attribute on ${tagName}`);
    if (name.startsWith('on')) breaks.push(`an ${name} attribute on ${tagName}`);
    if (!addressAttributes.has(name)) continue;
    for (const address of addressesIn(name, value)) {
      if (/^javascript:/i.test(address)) breaks.push(`a javascript: address on ${tagName}`);
      else if (isFetched(tagName, name, attributes) && /^([a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(address))
        breaks.push(`${tagName} fetches ${address} from another origin`);
    }
  }
  return breaks;
}

function textOf(element: Element): string {
  return element.childNodes.map(node => ('value' in node ? node.value : '')).join('');
}

/** As a browser reads them: a srcset holds several, and tabs and line ends inside an address do not count. */
function addressesIn(attribute: string, value: string): string[] {
  if (attribute !== 'srcset') return [value.replaceAll(/[\t\n\r]/g, '').trim()];
  return value.split(/,\s/).map(candidate => candidate.trim().split(/\s/)[0] ?? '');
}

/** Links that only name an address fetch nothing. */
function isFetched(tagName: string, attribute: string, attributes: Map<string, string>): boolean {
  if (attribute !== 'href') return true;
  return tagName !== 'a' && tagName !== 'area' && attributes.get('rel') !== 'canonical';
}
