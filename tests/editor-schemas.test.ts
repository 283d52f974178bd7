import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { writeEditorSchemas } from '../src/build/editor-schemas.ts';
import { root } from './harness/site.ts';

const written = writeEditorSchemas();

test('the schemas that ship are the ones the source gives; otherwise: npm run schemas', () => {
  const shipped = readdirSync(join(root, 'schemas')).map(name => [name, read(`schemas/${name}`)]);
  expect(Object.fromEntries(shipped)).toEqual(
    Object.fromEntries(written.map(({ name, text }) => [name, text])),
  );
});

test('every YAML file of content/ names its own in its first line', () => {
  const files = readdirSync(join(root, 'content'), { recursive: true, encoding: 'utf8' });
  expect(files.filter(file => file.endsWith('.yaml')).sort()).toEqual(written.map(({ file }) => file).sort());
  for (const { file, name } of written) {
    const [, address = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(read(`content/${file}`)) ?? [];
    expect(resolve(root, 'content', file, '..', address)).toBe(join(root, 'schemas', name));
  }
});

test.each(written)('$name accepts the words that ship', ({ file, text }) => {
  expect(findFaults(JSON.parse(text), parse(read(`content/${file}`)))).toEqual([]);
});

const long = 'x'.repeat(500);
test.each([
  ['company.yaml', { phone: 'call us' }, ['phone pattern']],
  ['company.yaml', { phone: 20, name: null }, ['name type', 'phone type']],
  ['company.yaml', { governingLaw: [] }, ['governingLaw anyOf']],
  ['company.yaml', { address: [] }, ['address minItems']],
  ['company.yaml', { colour: 'green' }, ['colour additionalProperties']],
  ['company.yaml', { name: undefined }, ['name required']],
  ['company.yaml', { social: { photos: { label: long } } }, expect.arrayContaining(['label maxLength'])],
  ['home.yaml', { title: long, description: 'short' }, ['description minLength', 'title maxLength']],
  // With a fact in it, its length is known later.
  ['home.yaml', { title: `{company.name} ${long}` }, []],
  ['home.yaml', { offer: { cards: ['Network Security'] } }, expect.arrayContaining(['0 pattern'])],
])('an editor marks what is wrong in %s: %j', (file, change, expected) => {
  const schema = written.find(one => one.file === file);
  const words = { ...parse(read(`content/${file}`)), ...change };
  expect(findFaults(JSON.parse(schema?.text ?? ''), words).sort()).toEqual(expected);
});

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

type Schema = { [word: string]: unknown };

/** As much of JSON Schema as the schemas use; a word it does not know fails the test. */
function findFaults(schema: Schema, value: unknown, at = ''): string[] {
  return Object.entries(schema).flatMap(([word, given]) => {
    const judge = words[word];
    if (!judge) throw new Error(`'${word}' is no word of JSON Schema that this test knows`);
    const found = judge(given, value, schema, at);
    return found === true ? [] : found === false ? [`${at} ${word}`] : found;
  });
}

const words: Record<string, Judge> = {
  $schema: () => true,
  title: () => true,
  description: () => true,
  type: (type, value) => type === typeOf(value),
  properties: (inner, value) =>
    Object.entries(inner as Record<string, Schema>).flatMap(([name, one]) =>
      fieldOf(value, name) === undefined ? [] : findFaults(one, fieldOf(value, name), name),
    ),
  required: (names, value) =>
    (names as string[]).filter(name => fieldOf(value, name) === undefined).map(name => `${name} required`),
  additionalProperties: (_, value, { properties }) =>
    Object.keys(value as object)
      .filter(name => !Object.hasOwn(properties as object, name))
      .map(name => `${name} additionalProperties`),
  items: (item, value) =>
    (value as unknown[]).flatMap((one, index) => findFaults(item as Schema, one, String(index))),
  minItems: (least, value) => (value as unknown[]).length >= Number(least),
  maxItems: (most, value) => (value as unknown[]).length <= Number(most),
  minLength: (least, value) => typeof value !== 'string' || value.length >= Number(least),
  maxLength: (most, value) => typeof value !== 'string' || value.length <= Number(most),
  pattern: (pattern, value) => typeof value !== 'string' || new RegExp(String(pattern), 'u').test(value),
  anyOf: (choices, value) => (choices as Schema[]).some(choice => findFaults(choice, value).length === 0),
  not: (inner, value) => findFaults(inner as Schema, value).length > 0,
  if: (condition, value, { then }, at) =>
    findFaults(condition as Schema, value).length > 0 || findFaults(then as Schema, value, at),
  // Judged with its condition.
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
  then: () => true,
};

type Judge = (given: unknown, value: unknown, schema: Schema, at: string) => boolean | string[];

function fieldOf(value: unknown, name: string): unknown {
  return (value as Record<string, unknown>)[name];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
