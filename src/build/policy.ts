import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Element = DefaultTreeAdapterTypes.Element;

const dataTypes = new Set(['application/json', 'application/ld+json']);
const addressAttributes = new Set(['src', 'href', 'action', 'formaction', 'poster', 'data']);

/** What in a page breaks the policy that every page is served under: a browser would block it, so the build stops. */
export function findPolicyBreaks(html: string): string[] {
  const breaks: string[] = [];

  function visit(node: DefaultTreeAdapterTypes.Node): void {
    if ('tagName' in node) breaks.push(...checkElement(node));
    if ('childNodes' in node) node.childNodes.forEach(visit);
  }

  visit(parse(html));
  return breaks;
}

function checkElement(element: Element): string[] {
  const { tagName } = element;
  const attributes = new Map(element.attrs.map(({ name, value }) => [name, value]));
  const breaks: string[] = [];
  if (tagName === 'script' && !attributes.has('src') && !dataTypes.has(attributes.get('type') ?? '')) {
    breaks.push('an inline script');
  }
  if (tagName === 'style') breaks.push('an inline style sheet');
  if (tagName === 'base') breaks.push('a base element');
  for (const [name, value] of attributes) {
    if (name === 'style') breaks.push(`a style attribute on ${tagName}`);
    if (name.startsWith('on')) breaks.push(`an ${name} attribute on ${tagName}`);
    if (addressAttributes.has(name) && /^\s*javascript:/i.test(value))
      breaks.push(`a javascript: address on ${tagName}`);
    if (isFetched(tagName, name, attributes) && /^([a-z]+:)?\/\//i.test(value)) {
      breaks.push(`${tagName} fetches ${value} from another origin`);
    }
  }
  return breaks;
}

/** Links that only name an address fetch nothing. */
function isFetched(tagName: string, attribute: string, attributes: Map<string, string>): boolean {
  if (attribute === 'action' || attribute === 'formaction') return true;
  if (attribute === 'href') return tagName === 'link' && attributes.get('rel') !== 'canonical';
  return attribute === 'src' || attribute === 'poster' || attribute === 'data';
}
