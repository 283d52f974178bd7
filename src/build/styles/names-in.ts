/**
 * What a selector cannot do without: elements, classes and ids with their mark, attributes as `[name]`, and those of which
 * only one value is meant as `[name=value]`.
 */
export function namesIn(selector: string): string[] {
  const names: string[] = [];
  let depth = 0;
  for (const [, attribute = '', value, opening, closing, mark = '', name] of selector.matchAll(tokens)) {
    if (opening) depth += 1;
    else if (closing) depth -= 1;
    else if (depth > 0) continue;
    else if (attribute) names.push(nameOfAttribute(attribute, value));
    else if (name && (!mark.startsWith(':') || name === 'host')) names.push(mark + withoutEscapes(name));
  }
  return names;
}

/** A field and a world are of one kind for good; that React is here is not for the rules of a page without it. */
export function nameOfAttribute(name: string, value = ''): string {
  const isOneKind = name === 'type' || name === 'data-world';
  const isTold = (isOneKind && value) || (name === 'data-script' && value === 'react');
  return isTold ? `[${name}=${value}]` : `[${name}]`;
}

/** An attribute with its value; a bracket; or a name with its mark: `.`, `#`, `:` or `::`. */
const tokens =
  /\[([\w-]+)(?:=["']?([\w-]+))?[^\]]*\]|(\()|(\))|([.#]|::?)?((?:[\w\u0080-\uffff-]|\\[0-9a-f]{1,6}\s?|\\.)+)/gi;

function withoutEscapes(name: string): string {
  return name.replaceAll(/\\(?:([0-9a-f]{1,6})\s?|(.))/gi, (_, code, character) =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : character,
  );
}
