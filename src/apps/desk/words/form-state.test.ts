import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../../tests/harness/site.ts';
import { editFile, readFields } from '../../../core/content/editing/edit-file.ts';
import { createFormSchema } from '../../../core/content/editing/form-schema.ts';
import { contentFiles } from '../../../core/content/read-content.ts';
import { schemas } from '../../../core/content/schemas/all-schemas.ts';
import { createState, listDifferences, readState, updateState } from './form-state.ts';

const names = Object.keys(contentFiles) as (keyof typeof contentFiles)[];
const read = (file: string) => readFileSync(join(root, 'content', file), 'utf8');

test.each(names)('an untouched form of %s leaves every byte of the file', name => {
  const file = contentFiles[name];
  const text = read(file);
  const fields = readFields(file, text) ?? {};
  const form = createFormSchema(schemas[name]);
  const origins = {};
  const unchanged = readState(form, createState(form, fields), fields, origins) as typeof fields;
  expect(unchanged).toEqual(fields);
  expect(editFile(file, text, unchanged, origins)).toBe(text);
});

test('an emptied field is null or left out', () => {
  const [home, company] = [createFormSchema(schemas.home), createFormSchema(schemas.company)];
  const fields = readFields('home.yaml', read('home.yaml')) ?? {};
  const withoutSteps = updateState(createState(home, fields), ['intro', 'points', '2', 'steps'], () => []);
  expect(JSON.stringify(readState(home, withoutSteps, fields))).not.toContain('"steps"');
  const facts = readFields('company.yaml', read('company.yaml')) ?? {};
  const emptied = updateState(createState(company, facts), ['addressNote'], () => '');
  expect(listDifferences(facts, readState(company, emptied, facts))).toEqual([
    { path: 'addressNote', theirs: 'Example address', ours: null },
  ]);
});
