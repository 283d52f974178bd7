import * as v from 'valibot';
import type { ContentError } from './content-error.ts';
import { emptyReason, truncate } from './fields.ts';
import { findSimilarName } from './find-similar-name.ts';
import { fieldName, type ParsedFile } from './source-positions.ts';

export function validateFile(
  parsed: ParsedFile | undefined,
  schema: v.GenericSchema,
  errors: ContentError[],
  movedToBrand: readonly string[] = [],
): unknown {
  if (!parsed) return undefined;
  const result = v.safeParse(schema, parsed.value);
  if (result.success) return result.output;
  const lists = new Set<unknown>();
  const emptyFields = new Set<string>();
  const misspelt = findMisspeltFields(schema, result.issues);
  for (const issue of result.issues) {
    const items = issue.path ?? [];
    const isMeant = misspelt.some(
      ({ group, meant }) => group === items.at(-1)?.input && meant === items.at(-1)?.key,
    );
    if (isMeant && issue.received === 'undefined') continue;
    // Valibot accepts a list as an object, and then reports every field of it: one error is enough.
    const wrong = items.findIndex(item => item.type === 'object' && Array.isArray(item.input));
    if (wrong >= 0 && lists.has(items[wrong]?.input)) continue;
    if (wrong >= 0) lists.add(items[wrong]?.input);
    const path = (wrong < 0 ? items : items.slice(0, wrong)).map(item => item.key as string | number);
    // An empty field also lacks its length and its form: one error is enough.
    if (emptyFields.has(path.join('.'))) continue;
    if (issue.message === emptyReason) emptyFields.add(path.join('.'));
    errors.push({
      file: parsed.file,
      line: parsed.lineAt(path) + getLineOffset(path, issue.input),
      field: fieldName(path),
      path,
      reason:
        describeMoved(movedToBrand, path) ??
        (wrong < 0
          ? describeIssue(issue, misspelt.find(one => one.issue === issue)?.meant)
          : 'is a list, expected a group of fields'),
    });
  }
  return undefined;
}

type Misspelt = { issue: v.BaseIssue<unknown>; group: unknown; meant: string };

function findMisspeltFields(schema: v.GenericSchema, issues: v.BaseIssue<unknown>[]): Misspelt[] {
  return issues.flatMap(issue => {
    const items = issue.path ?? [];
    const { input: group, key } = items.at(-1) ?? {};
    if (issue.expected !== 'never' || typeof group !== 'object' || group === null) return [];
    const fields = listFields(
      schema,
      items.slice(0, -1).map(item => item.key),
    );
    const meant = findSimilarName(
      String(key),
      fields.filter(field => !(field in group)),
    );
    return meant ? [{ issue, group, meant }] : [];
  });
}

type NestedSchema = { entries?: Record<string, NestedSchema>; item?: NestedSchema; wrapped?: NestedSchema };

function listFields(schema: v.GenericSchema, path: unknown[]): string[] {
  let inner: NestedSchema | undefined = schema as NestedSchema;
  for (const key of path) {
    while (inner?.wrapped) inner = inner.wrapped;
    inner = inner?.item ?? inner?.entries?.[String(key)];
  }
  while (inner?.wrapped) inner = inner.wrapped;
  return Object.keys(inner?.entries ?? {});
}

/** Only a Markdown body has lines of its own; a text inside YAML is folded, so its field's line is used. */
function getLineOffset(path: (string | number)[], input: unknown): number {
  const line =
    path[0] === 'body' && typeof input === 'object' && input !== null && 'line' in input ? input.line : 1;
  return Number(line) - 1;
}

function describeMoved(movedToBrand: readonly string[], path: (string | number)[]): string | undefined {
  return movedToBrand.includes(path.join('.'))
    ? 'now belongs in content/brand/brand.yaml; move it there and delete it here'
    : undefined;
}

function describeIssue(issue: v.BaseIssue<unknown>, meant?: string): string {
  if (issue.kind !== 'schema') return issue.message;
  if (issue.expected === 'never')
    return `is not a field of this file${meant ? `; did you mean ${meant}?` : ''}`;
  if (issue.received === 'undefined') return 'is missing';
  const expected = typeNames[issue.expected ?? ''] ?? issue.expected;
  const isPlain = typeof issue.input === 'number' || typeof issue.input === 'boolean';
  const remedy = isPlain && expected === 'text' ? '; put it in quotation marks' : '';
  return `is ${typeNames[issue.received] ?? truncate(issue.received)}, expected ${expected}${remedy}`;
}

const typeNames: Record<string, string> = {
  string: 'text',
  '(string | null)': 'text',
  '(number | string)': 'a number or text',
  number: 'a number',
  boolean: 'true or false',
  Array: 'a list',
  Object: 'a group of fields',
  null: 'empty',
};
