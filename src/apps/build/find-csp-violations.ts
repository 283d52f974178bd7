import { type HtmlElement, listElements } from './parse-html.ts';

const dataTypes = new Set(['application/json', 'application/ld+json']);
const addressAttributes = new Set(['src', 'srcset', 'href', 'action', 'formaction', 'poster', 'data']);

/** What a browser would block under the page's Content-Security-Policy, which knows one style sheet by its digest. */
export function findCspViolations(html: string, css?: string): string[] {
  return listElements(html).flatMap(element => checkElement(element, css));
}

function checkElement({ tagName, attributes, text }: HtmlElement, css: string | undefined): string[] {
  const violations: string[] = [];
  if (tagName === 'script' && !attributes.has('src') && !dataTypes.has(attributes.get('type') ?? '')) {
    violations.push('an inline script');
  }
  if (tagName === 'style' && text !== css) violations.push('an inline style sheet');
  if (tagName === 'base') violations.push('a base element');
  for (const [name, value] of attributes) {
    if (name === 'style') violations.push(`a style attribute on ${tagName}`);
    if (name.startsWith('on')) violations.push(`an ${name} attribute on ${tagName}`);
    if (!addressAttributes.has(name)) continue;
    for (const url of listUrls(name, value)) {
      if (/^javascript:/i.test(url)) violations.push(`a javascript: address on ${tagName}`);
      else if (isFetched(tagName, name, attributes) && /^([a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(url))
        violations.push(`${tagName} fetches ${url} from another origin`);
    }
  }
  return violations;
}

/** As a browser parses them: a srcset has several, and tabs and line ends inside an address are ignored. */
function listUrls(attribute: string, value: string): string[] {
  if (attribute !== 'srcset') return [value.replaceAll(/[\t\n\r]/g, '').trim()];
  return value.split(/,\s/).map(candidate => candidate.trim().split(/\s/)[0] ?? '');
}

function isFetched(tagName: string, attribute: string, attributes: Map<string, string>): boolean {
  if (attribute !== 'href') return true;
  return tagName !== 'a' && tagName !== 'area' && attributes.get('rel') !== 'canonical';
}
