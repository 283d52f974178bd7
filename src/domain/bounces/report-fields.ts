/** One group of fields of a report: the names in lower case, each with every value it was given. */
export type Fields = Map<string, string[]>;

/**
 * Groups of `Name: value` lines with an empty line between them, as in a delivery status notification (RFC 3464) and a
 * feedback report (RFC 5965). A folded line belongs to the one before it; what has no name is left out.
 */
export function parseFields(text: string): Fields[] {
  const groups: Fields[] = [];
  let fields: Fields | undefined;
  let values: string[] | undefined;
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.trim() === '') {
      fields = undefined;
      values = undefined;
      continue;
    }
    if (/^[ \t]/.test(line)) {
      if (values) values.push(`${values.pop()} ${line.trim()}`);
      continue;
    }
    const colon = line.indexOf(':');
    if (colon <= 0) {
      values = undefined;
      continue;
    }
    if (!fields) {
      fields = new Map();
      groups.push(fields);
    }
    const name = line.slice(0, colon).trim().toLowerCase();
    values = fields.get(name) ?? [];
    fields.set(name, values);
    values.push(line.slice(colon + 1).trim());
  }
  return groups;
}

export function firstOf(fields: Fields, name: string): string {
  return fields.get(name)?.[0] ?? '';
}
