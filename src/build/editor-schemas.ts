import { basename } from 'node:path';
import { type ConversionConfig, type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { files } from '../content/read.ts';
import { schemas } from '../content/schemas.ts';

export type EditorSchema = {
  /** Under schemas/. */
  name: string;
  /** The file of content/ it is for. */
  file: string;
  text: string;
};

/** What an editor needs to complete and check the YAML files: the schemas by which they are read, as JSON Schema. */
export function writeEditorSchemas(): EditorSchema[] {
  const { letters, ...pages } = files;
  const known: [file: string, schema: v.GenericSchema][] = [
    ...Object.entries(pages).map(
      ([name, file]) => [file, schemas[name as keyof typeof pages]] as [string, v.GenericSchema],
    ),
    [letters['newsletter-issue'], schemas.letters.entries['newsletter-issue']],
  ];
  return known
    .filter(([file]) => file.endsWith('.yaml'))
    .map(([file, schema]) => ({
      file,
      name: `${basename(file, '.yaml')}.json`,
      text: `${JSON.stringify({ title: `content/${file}`, ...write(file, schema) }, null, 2)}\n`,
    }));
}

/** The company's own facts are filled into the other files, and none into theirs. */
function write(file: string, schema: v.GenericSchema): JsonSchema {
  const written = toJsonSchema(schema, conversion);
  return file === files.company ? written : allowFacts(written);
}

const conversion: ConversionConfig = {
  typeMode: 'input',
  // Checked when the words are read; JSON Schema has no words for them.
  ignoreActions: ['trim', 'check', 'raw_transform'],
  overrideSchema: ({ jsonSchema }) =>
    jsonSchema.type === 'object' ? { ...jsonSchema, additionalProperties: false } : undefined,
};

/** How long a text is that holds a {fact} is known only when the fact stands in its place. */
function allowFacts(schema: JsonSchema): JsonSchema {
  const inner = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, walk(part)]));
  const { minLength, maxLength, ...rest } = inner as JsonSchema;
  if (schema.type !== 'string' || schema.pattern || maxLength === undefined) return inner;
  const isPlain = { not: { pattern: '\\{[^{}]*\\}' } };
  return {
    ...rest,
    minLength: 1,
    if: isPlain, // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
    then: { minLength: minLength ?? 1, maxLength },
  };
}

function walk(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(walk);
  return typeof part === 'object' && part !== null ? allowFacts(part) : part;
}
