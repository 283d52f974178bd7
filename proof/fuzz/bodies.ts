import fc from 'fast-check';
import { messageFieldNames } from '../../src/features/messages/message-fields.ts';
import { limits } from '../../src/lib/limits.ts';
import { formField, honeypotField, unsentField } from '../../src/ui/contract.ts';
import { asBytes, bytes, cleanText, email, mutated, personalMarker, text } from './text-arbitraries.ts';

const prototypeNames = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];
const names = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...messageFieldNames, 'email', 'message') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(honeypotField, formField, unsentField, 'wording', 'type', 'address'),
  },
  { weight: 1, arbitrary: fc.constantFrom(...prototypeNames) },
  { weight: 1, arbitrary: text },
);

/** Numbers that no number holds, and things within things. */
const oddValues = fc.oneof(
  fc.constantFrom(
    '1e99999',
    '-0',
    '9'.repeat(400),
    'null',
    'true',
    '[]',
    '{}',
    '"\\ud800"',
    '"\\u0000"',
    'NaN',
  ),
  fc.constantFrom('{"__proto__":{"isAdmin":true}}', '[{"constructor":{"prototype":{"a":1}}}]'),
  fc.nat(4000).map(depth => '['.repeat(depth) + ']'.repeat(depth)),
  fc.nat(2000).map(depth => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
);
const values = fc.oneof(
  { weight: 8, arbitrary: fc.oneof(text, email).map(one => JSON.stringify(one)) },
  { weight: 1, arbitrary: oddValues },
);

/** As text, so that a name can stand there twice. */
const object = fc
  .array(fc.tuple(names, values), { maxLength: 6 })
  .map(entries => `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`);

const pairs = fc.array(fc.tuple(names, fc.oneof(text, email)), { maxLength: 6 });
const form = pairs.map(list => new URLSearchParams(list).toString());

/** Within a few bytes of what is accepted, and beyond. */
const sizes = fc
  .constantFrom(4096, 32 * 1024, limits.maxBodyBytes, limits.maxFormBytes)
  .chain(limit => fc.integer({ min: -40, max: 40 }).map(more => limit + more));

const bounces = fc.oneof(
  fc.record({ type: fc.constantFrom('bounce', 'complaint', 'other'), address: email }),
  fc.record({
    type: fc.constantFrom('email.bounced', 'email.complained', 'email.opened'),
    data: fc.record({ to: fc.oneof(email, fc.array(email, { maxLength: 3 })), bounce: fc.anything() }),
  }),
);

const json = fc.oneof(
  { weight: 6, arbitrary: object },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 3, arbitrary: fc.oneof(bounces, fc.array(bounces, { maxLength: 4 })).map(toJson) },
  { weight: 1, arbitrary: mutated(object, bytes) },
);

/** What comes with a post: a type that fits it or none, and its bytes. */
export type Body = { type: string; bytes: string };

export const body: fc.Arbitrary<Body> = fc.oneof(
  { weight: 10, arbitrary: typed('application/json', json.map(asBytes)) },
  { weight: 5, arbitrary: typed(formType(), form) },
  { weight: 2, arbitrary: typed(formType(), mutated(form, bytes)) },
  {
    weight: 1,
    arbitrary: typed(formType(), fc.constantFrom('a=1&'.repeat(200), 'List-Unsubscribe=One-Click')),
  },
  { weight: 2, arbitrary: typed('application/json', bytes) },
  { weight: 1, arbitrary: typed('text/plain', bytes) },
);

/** Rare, because each is as long as a hundred others. */
export const longBody: fc.Arbitrary<Body> = fc
  .tuple(sizes, fc.boolean())
  .map(([size, isForm]) =>
    isForm
      ? { type: formType(), bytes: `message=${personalMarker}`.padEnd(size, 'a') }
      : { type: 'application/json', bytes: `${`{"message":"${personalMarker}`.padEnd(size - 2, 'a')}"}` },
  );

/** Nothing is wrong with it, whatever it says: such a message must be stored. */
export const honestBody: fc.Arbitrary<Body> = fc
  .record({
    name: cleanText,
    email: fc.constantFrom('', 'ann@example.com', `${personalMarker}@example.com`),
    message: cleanText,
    service: cleanText,
  })
  .map(fields => ({ type: 'application/json', bytes: asBytes(toJson(fields)) }));

function typed(type: string, all: fc.Arbitrary<string>): fc.Arbitrary<Body> {
  return all.map(one => ({ type, bytes: one }));
}

function formType(): string {
  return 'application/x-www-form-urlencoded';
}

function toJson(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}
