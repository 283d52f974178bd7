import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { FormField } from './form-types.ts';

export function createFormSchema(schema: v.GenericSchema): FormField {
  return toField(
    toJsonSchema(schema, {
      typeMode: 'input',
      errorMode: 'ignore',
      ignoreActions: ['trim', 'check', 'raw_check', 'raw_transform', 'transform', 'includes'],
    }),
  );
}

function toField(schema: JsonSchema): FormField {
  const { anyOf, ...outer } = schema;
  if (anyOf) return toUnion(outer, anyOf as JsonSchema[]);
  const { type, minLength, maxLength, minItems, maxItems } = schema;
  if (type === 'object') return toGroup(schema);
  if (type === 'array')
    return { kind: 'list', item: toField(schema.items as JsonSchema), ...limits(minItems, maxItems) };
  if (type === 'boolean') return { kind: 'boolean' };
  const kind = type === 'number' ? 'number' : 'text';
  return { kind, ...describe(schema), ...limits(minLength, maxLength) };
}

function toUnion(outer: JsonSchema, schemas: JsonSchema[]): FormField {
  const types = schemas.map(({ type }) => type);
  const [first = {}] = schemas.filter(({ type }) => type !== 'null' && type !== 'number');
  return {
    ...toField({ ...first, ...outer }),
    ...(types.includes('null') && { isNullable: true }),
    ...(types.includes('number') && { isNumberToo: true }),
  };
}

function toGroup({ properties, required = [], additionalProperties }: JsonSchema): FormField {
  if (!properties) return { kind: 'record', item: toField(additionalProperties as JsonSchema) };
  const fields = Object.entries(properties).map(([name, inner]): [string, FormField] => {
    const field = toField(inner as JsonSchema);
    return [name, required.includes(name) ? field : { ...field, isOptional: true }];
  });
  return { kind: 'group', fields: Object.fromEntries(fields) };
}

function limits(min: number | undefined, max: number | undefined) {
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

/** The length of a text is counted beside it, and quotation marks are a matter of the file. */
function describe({ description = '', examples, pattern }: JsonSchema) {
  const [, min, max] = /^Markdown(?: of (\d+) to (\d+) words)?$/.exec(description) ?? [];
  const isMarkdown = description.startsWith('Markdown');
  const isDay = description.startsWith('A date such as');
  const help =
    isDay || /^Text of at most/.test(description) ? '' : description.replace(/ \(?in quotation marks\)?/, '');
  return {
    ...(isDay && { isDay: true as const }),
    ...((pattern || /\baddress\b/.test(description)) && { isAddress: true as const }),
    ...(isMarkdown ? { isMarkdown: true as const } : help && { help }),
    ...(min && max && { words: { min: Number(min), max: Number(max) } }),
    ...(Array.isArray(examples) && examples.length > 0 && { options: examples.map(String) }),
  };
}
