import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type ConversionConfig, type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import { contentFiles } from '../content/read-content.ts';
import { schemas } from '../content/schemas/all-schemas.ts';

/** Placeholders stand for what these files contain. */
const facts: string[] = [contentFiles.brand, contentFiles.company];

export function writeEditorSchemas(root: string): void {
  mkdirSync(join(root, 'schemas'), { recursive: true });
  for (const [name, file] of Object.entries(contentFiles)) {
    if (!file.endsWith('.yaml')) continue;
    const written = toJsonSchema(schemas[name as keyof typeof schemas], conversion);
    const editorSchema = facts.includes(file) ? written : allowPlaceholders(written);
    const text = JSON.stringify({ title: `content/${file}`, ...editorSchema }, null, 2);
    writeFileSync(join(root, 'schemas', `${basename(file, '.yaml')}.json`), `${text}\n`);
  }
}

const conversion: ConversionConfig = {
  typeMode: 'input',
  ignoreActions: ['trim', 'check', 'raw_check', 'raw_transform', 'transform'],
  overrideSchema: ({ jsonSchema }) =>
    jsonSchema.type === 'object' ? { ...jsonSchema, additionalProperties: false } : undefined,
};

/** The length of a text with a {placeholder} is known only after it is filled in. */
function allowPlaceholders(schema: JsonSchema): JsonSchema {
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
  return typeof part === 'object' && part !== null ? allowPlaceholders(part) : part;
}
