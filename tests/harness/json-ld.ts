/** A JSON-LD node, or a reference to one. */
export type JsonLdNode = Record<string, unknown>;

/** What search engines require of the kinds that they show. */
const required: Record<string, string> = {
  Organization: '@id name url',
  BlogPosting: '@id url headline description datePublished dateModified author publisher image',
  BreadcrumbList: 'itemListElement',
  ListItem: 'position name item',
  ImageObject: 'url',
  QuantitativeValue: 'value unitCode',
};

/** What schema.org has no number for. */
const quantities = ['width', 'height'];

const addresses = new Set(['@id', 'url', 'item', 'sameAs']);

/** Errors of a JSON-LD graph: missing properties, relative URLs, duplicate or unresolved ids. */
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
      for (const name of required[String(type)]?.split(' ') ?? [])
        if (!(name in node)) faults.push(`${path} (${type}) lacks ${name}`);
    }
    for (const [name, value] of Object.entries(node)) {
      if (quantities.includes(name) && typeof value === 'number') faults.push(`${path}.${name} is a number`);
      visit(value, `${path}.${name}`);
    }
  }

  if (graph['@context'] !== 'https://schema.org') faults.push('the context is not schema.org');
  visit(graph['@graph'], 'graph');
  for (const [id, times] of known) if (times > 1) faults.push(`${id} stands ${times} times`);
  for (const id of meant) if (!known.has(id)) faults.push(`${id} is referred to and is not there`);
  return faults;
}
