/** A JSON-LD node, or a reference to one. */
export type JsonLdNode = Record<string, unknown>;

const thing = '@id name url';
const page = `${thing} description isPartOf inLanguage primaryImageOfPage`;

/** Properties that schema.org and search engines require of each type. */
const required: Record<string, string> = {
  // Other pages refer to these two and to the blog by few properties.
  Organization: thing,
  WebSite: `${thing} publisher`,
  Blog: thing,
  WebPage: page,
  ContactPage: page,
  CollectionPage: page,
  FAQPage: `${page} mainEntity`,
  BlogPosting: `@id url headline description datePublished dateModified author publisher image wordCount inLanguage
    keywords isPartOf mainEntityOfPage`,
  ItemList: 'itemListElement',
  Service: '@id name description provider',
  BreadcrumbList: '@id itemListElement',
  ListItem: 'position name item',
  Question: '@id name acceptedAnswer',
  Answer: 'text',
  ImageObject: 'url width height',
};

const addresses = new Set(['@id', 'url', 'item', 'sameAs']);

/** Errors of a JSON-LD graph: unknown types, missing properties, relative URLs, duplicate or unresolved ids. */
export function findJsonLdErrors(graph: { '@context'?: unknown; '@graph'?: unknown }): string[] {
  const faults: string[] = [];
  const [known, meant] = [new Map<string, number>(), new Set<string>()];

  function visit(value: unknown, path: string): void {
    if (Array.isArray(value)) {
      if (value.length === 0) faults.push(`${path} is empty`);
      for (const [index, item] of value.entries()) visit(item, `${path}[${index}]`);
    } else if (typeof value === 'object' && value !== null) visitNode(value as JsonLdNode, path);
    else if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === ''))
      faults.push(`${path} is ${JSON.stringify(value)}`);
    else if (addresses.has(path.replace(/^.*\.|\[\d+\]$/g, '')) && !/^https:\/\/[^/]+\//.test(String(value)))
      faults.push(`${path} is no absolute address: ${value}`);
  }

  function visitNode(node: JsonLdNode, path: string): void {
    const [id, type] = [node['@id'], node['@type']];
    if (typeof id === 'string' && type === undefined) meant.add(id);
    if (typeof id === 'string' && type !== undefined) known.set(id, (known.get(id) ?? 0) + 1);
    if (type !== undefined) {
      const names = required[String(type)]?.split(/\s+/);
      if (!names) faults.push(`${path} is of the unknown kind ${type}`);
      for (const name of names ?? []) if (!(name in node)) faults.push(`${path} (${type}) lacks ${name}`);
    }
    for (const [name, value] of Object.entries(node)) visit(value, `${path}.${name}`);
  }

  if (graph['@context'] !== 'https://schema.org') faults.push('the context is not schema.org');
  visit(graph['@graph'], 'graph');
  for (const [id, times] of known) if (times > 1) faults.push(`${id} stands ${times} times`);
  for (const id of meant) if (!known.has(id)) faults.push(`${id} is referred to and is not there`);
  return faults;
}
