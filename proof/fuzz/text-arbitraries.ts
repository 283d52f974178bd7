import fc from 'fast-check';

/** Put into requests and searched for in responses. The first stands for personal data, and may not be in the log either. */
export const personalMarker = 'q7Zx4Kw9';
export const pathMarker = 'p7Zx4Kw9';

/** Any sequence of UTF-16 units, with halves of characters among them. */
const units = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
  .map(codes => String.fromCharCode(...codes));

const known = fc.constantFrom(
  '',
  ' ',
  '\0',
  '\r\nSet-Cookie: a=b',
  '=1+2',
  '<script>alert(1)</script>',
  "'; drop table messages; --",
  '#{7*7}{{7*7}}<%= 7*7 %>',
  '../../etc/passwd',
  '\u202e\u2028\ufeff',
  '🧑‍🚒e\u0301',
  'https://a.example https://b.example https://c.example',
);

/** What a visitor may write into a field: mostly text, sometimes what no database can store. */
export const text = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
      { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
      { weight: 1, arbitrary: units },
      { weight: 2, arbitrary: known },
    ),
    fc.constantFrom('', personalMarker, ` ${personalMarker}`),
  )
  .map(parts => parts.join(''));

/** What every database keeps as it is. */
export const cleanText = text.map(one => one.replaceAll('\0', '').toWellFormed());

export const email = fc.oneof(
  fc.constantFrom(
    '',
    'ann@example.com',
    `${personalMarker}@example.com`,
    `${personalMarker}@exämple.de`,
    'a@b',
    '@',
  ),
  text,
  fc.emailAddress(),
);

/** Bytes, written as the letters of Latin-1. */
export const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 60 }).map(array => Buffer.from(array).toString('latin1')),
  fc.string({
    unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '%', '&', '=', '\\', 'a', '\xff', '0'),
  }),
);

export function asBytes(utf8: string): string {
  return Buffer.from(utf8).toString('latin1');
}

type Change = { at: number; gone: number; put: string };

/** A few places of a text changed: parts of it gone, doubled or replaced. */
export function mutated(texts: fc.Arbitrary<string>, put: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const change = fc.record({ at: fc.nat(), gone: fc.nat(4), put: fc.oneof(fc.constant(''), put) });
  return fc
    .tuple(texts, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([whole, changes]) => changes.reduce(applyChange, whole));
}

function applyChange(whole: string, { at, gone, put }: Change): string {
  const start = at % (whole.length + 1);
  return whole.slice(0, start) + put + whole.slice(start + gone);
}
