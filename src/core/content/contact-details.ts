type ContactDetails = { phone: string };

/** Links the phone number in all prose of a file, and breaks neither it nor hours such as 9am-5pm across lines. */
export function linkPhone<Value>(value: Value, details: ContactDetails | undefined): Value {
  return (details ? mapProse(value, createPattern(details)) : value) as Value;
}

function createPattern({ phone }: ContactDetails): RegExp {
  const time = String.raw`\d{1,2}(?:[:.]\d\d)?(?:am|pm)?`;
  return new RegExp(`(${RegExp.escape(phone)}|\\b${time}[-–]${time}\\b)`);
}

/** Prose is elements of a tag, attributes and children. */
function mapProse(value: unknown, pattern: RegExp): unknown {
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapProse(item, pattern)]));
  if (!Array.isArray(value)) return value;
  const isElement = typeof value[0] === 'string' && isRecord(value[1]);
  if (isElement && /^(a|code|pre)$/.test(value[0])) return value;
  return value.flatMap(item =>
    isElement && typeof item === 'string' ? toNodes(item, pattern) : [mapProse(item, pattern)],
  );
}

function toNodes(text: string, pattern: RegExp): unknown[] {
  const unbroken = { class: 'whitespace-nowrap' };
  return text
    .split(pattern)
    .map((part, index) => {
      if (index % 2 === 0) return part;
      return /[-–]/.test(part)
        ? ['span', unbroken, part]
        : ['a', { href: `tel:${part.replaceAll(' ', '')}`, ...unbroken }, part];
    })
    .filter(part => part !== '');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
