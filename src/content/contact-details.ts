type ContactDetails = { phone: string; supportHours: string };

/** A phone number, which is a link, or hours such as 9am–5pm: neither is broken across lines. */
type Unbroken = { text: string; isPhone: boolean };

export function splitContactText(
  text: string,
  { phone, supportHours }: ContactDetails,
): (string | Unbroken)[] {
  const [hours = ''] = /\S*\d\S*[-–]\S*\d\S*/.exec(supportHours) ?? [];
  return cut([text], phone, true).flatMap(part => cut([part], hours, false));
}

function cut(parts: (string | Unbroken)[], found: string, isPhone: boolean): (string | Unbroken)[] {
  return parts.flatMap(part =>
    typeof part === 'string' && found
      ? part
          .split(found)
          .flatMap((rest, index) => (index > 0 ? [{ text: found, isPhone }, rest] : [rest]))
          .filter(rest => rest !== '')
      : [part],
  );
}

export function phoneUrl(phone: string): string {
  return `tel:${phone.replaceAll(' ', '')}`;
}

/** Links the phone number in all prose of a file: elements of a tag, attributes and children. */
export function linkPhone<Value>(value: Value, details: ContactDetails | undefined): Value {
  return (details ? mapProse(value, details) : value) as Value;
}

function mapProse(value: unknown, details: ContactDetails): unknown {
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapProse(item, details)]));
  if (!Array.isArray(value)) return value;
  const isElement = typeof value[0] === 'string' && isRecord(value[1]);
  if (isElement && /^(a|code|pre)$/.test(value[0])) return value;
  return value.flatMap(item =>
    isElement && typeof item === 'string' ? toNodes(item, details) : [mapProse(item, details)],
  );
}

function toNodes(text: string, details: ContactDetails): unknown[] {
  return splitContactText(text, details).map(part => {
    if (typeof part === 'string') return part;
    const attributes = part.isPhone ? { href: phoneUrl(part.text) } : {};
    return [part.isPhone ? 'a' : 'span', { ...attributes, class: 'whitespace-nowrap' }, part.text];
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
