import {
  type Document,
  isMap,
  isScalar,
  type ParseOptions,
  parseDocument,
  visit,
  YAMLParseError,
} from 'yaml';

/** Six times the longest file of today. */
const maxNodes = 20_000;

/**
 * The only parser of YAML. A file may come from anywhere, so what it can make us compute is bounded: an alias, which may stand
 * for thousands of others, is an error, and so is a file with very many fields.
 */
export function parseYaml(text: string, options: ParseOptions = {}): Document.Parsed {
  // Its own search for repeated keys compares each with each.
  const document = parseDocument(text, { ...options, logLevel: 'error', uniqueKeys: false });
  const { errors } = document;
  let nodes = 0;
  visit(document, (_, node) => {
    nodes += 1;
    if (nodes > maxNodes) return visit.BREAK;
    if (isMap(node)) errors.push(...findRepeatedKeys(node.items.map(({ key }) => key)));
    return undefined;
  });
  if (nodes > maxNodes) {
    const reason = `has more than ${maxNodes.toLocaleString('en-GB')} fields and entries`;
    errors.splice(0, errors.length, new YAMLParseError([0, 1], 'RESOURCE_EXHAUSTION', reason));
  }
  visit(document, {
    Alias(_, { range }) {
      if (nodes > maxNodes) return visit.BREAK;
      const [start = 0, end = 1] = range ?? [];
      errors.push(new YAMLParseError([start, end], 'BAD_ALIAS', 'an alias'));
      return undefined;
    },
  });
  errors.sort(({ pos: [one] }, { pos: [other] }) => one - other);
  return document;
}

function findRepeatedKeys(keys: readonly unknown[]): YAMLParseError[] {
  const known = new Set<unknown>();
  return keys.flatMap(key => {
    if (!isScalar(key)) return [];
    const isRepeated = known.has(key.value);
    known.add(key.value);
    const [start = 0, end = 1] = key.range ?? [];
    return isRepeated ? [new YAMLParseError([start, end], 'DUPLICATE_KEY', 'a repeated key')] : [];
  });
}
