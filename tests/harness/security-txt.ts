export type SecurityTxt = Record<string, string[]>;

/**
 * Parses an unsigned file by RFC 9116, and throws at any violation. It is stricter in one way: unregistered fields are
 * rejected, because ours has none.
 */
export function readSecurityTxt(text: string): SecurityTxt {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const fields: SecurityTxt = {};
  for (const line of text.slice(0, -1).split('\n')) {
    const bare = line.replace(/[ \t]*\r?$/, '');
    if (bare === '' || /^#[\t\x20-\x7e\u0080-\u{fffff}]*$/u.test(bare)) continue;
    const [, written = '', value = ''] = /^([!-9;-~]+): (.+)$/.exec(bare) ?? [];
    const name = Object.keys(grammar).find(known => known.toLowerCase() === written.toLowerCase());
    if (!name) throw new Error(`'${bare}' is no field of RFC 9116`);
    if (!grammar[name]?.(value)) throw new Error(`${name} is '${value}'`);
    fields[name] = [...(fields[name] ?? []), value];
  }
  if (!fields.Contact) throw new Error('Contact is missing');
  if (fields.Expires?.length !== 1) throw new Error('Expires must stand there once');
  if ((fields['Preferred-Languages']?.length ?? 0) > 1)
    throw new Error('Preferred-Languages stands there twice');
  return fields;
}

const grammar: Record<string, (value: string) => boolean> = {
  Acknowledgments: isUri,
  Canonical: isUri,
  Contact: isUri,
  Encryption: isUri,
  Expires: isDateTime,
  Hiring: isUri,
  Policy: isUri,
  'Preferred-Languages': value =>
    value.split(/[ \t]*,[ \t]*/).every(tag => /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(tag)),
};

/** RFC 3986, with RFC 6068 for mail; an address of the web must be https. */
function isUri(value: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:([\w.~:/?#[\]@!$&'()*+,;=-]|%[0-9a-f]{2})+$/i.test(value)) return false;
  const scheme = value.slice(0, value.indexOf(':')).toLowerCase();
  if (scheme === 'http') return false;
  if (scheme === 'https') return /^https:\/\/[^/?#@]+([/?#]|$)/i.test(value) && URL.canParse(value);
  if (scheme === 'mailto') return /^mailto:[^@?/#[\]]+@[a-z0-9.-]+$/i.test(value);
  return true;
}

/** RFC 3339. */
function isDateTime(value: string): boolean {
  const shape = /^\d{4}-\d{2}-(\d{2})T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;
  const [, day] = shape.exec(value) ?? [];
  const date = new Date(value.slice(0, 10));
  return day !== undefined && date.getUTCDate() === Number(day) && !Number.isNaN(Date.parse(value));
}
