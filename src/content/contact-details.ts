import type { PlaceholderValues } from './fill-placeholders.ts';

/** As pages show them: a phone number and hours such as 9am–5pm stay on one line. Emails have plain text. */
export function keepTogether({ brand, company }: PlaceholderValues): PlaceholderValues {
  return {
    brand,
    company: company && {
      ...company,
      phone: company.phone.replaceAll(' ', '\u00a0'),
      supportHours: company.supportHours.replaceAll(/(?<=\w)[-–](?=\w)/g, '$&\u2060'),
    },
  };
}

/** Makes the phone number a link in prose, which is elements of a tag, attributes and children. */
export function linkPhone<Value>(value: Value, phone: string | undefined): Value {
  return (phone ? link(value, phone) : value) as Value;
}

function link(value: unknown, phone: string): unknown {
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, link(item, phone)]));
  if (!Array.isArray(value)) return value;
  const isElement = typeof value[0] === 'string' && isRecord(value[1]);
  if (isElement && /^(a|code|pre)$/.test(value[0])) return value;
  return value.flatMap(item =>
    isElement && typeof item === 'string' ? split(item, phone) : [link(item, phone)],
  );
}

function split(text: string, phone: string): unknown[] {
  const element = ['a', { href: `tel:${phone.replaceAll('\u00a0', '')}` }, phone];
  return text
    .split(phone)
    .flatMap((part, index) => (index > 0 ? [element, part] : [part]))
    .filter(part => part !== '');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
