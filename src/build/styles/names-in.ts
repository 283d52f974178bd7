/** What a selector cannot do without: elements, classes and ids with their mark, attributes as `[name]`. */
export function namesIn(selector: string): string[] {
  const names: string[] = [];
  let depth = 0;
  for (const [, attribute, state, opening, closing, mark = '', name] of selector.matchAll(tokens)) {
    if (opening) depth += 1;
    else if (closing) depth -= 1;
    else if (depth > 0) continue;
    else if (attribute) names.push(state ? `[${attribute}=${state}]` : `[${attribute}]`);
    else if (name && (!mark.startsWith(':') || name === 'host')) names.push(mark + withoutEscapes(name));
  }
  return names;
}

/**
 * An attribute, of which the script's state is told by its value; a bracket; or a name with its mark: `.`, `#`, `:` or
 * `::`.
 */
const tokens =
  /\[([\w-]+)(?:=["']?(react)\b)?[^\]]*\]|(\()|(\))|([.#]|::?)?((?:[\w\u0080-\uffff-]|\\[0-9a-f]{1,6}\s?|\\.)+)/gi;

function withoutEscapes(name: string): string {
  return name.replaceAll(/\\(?:([0-9a-f]{1,6})\s?|(.))/gi, (_, code, character) =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : character,
  );
}
