import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../../tests/harness/site.ts';
import { listFiles } from '../../../core/content/content-part.ts';
import { editFile, readFields } from '../../../core/content/editing/edit-file.ts';
import { createFormSchema } from '../../../core/content/editing/form-schema.ts';
import { facts as factsPart } from '../../../core/content/facts.ts';
import { siteContent } from '../../../features/site/content.ts';
import { contentParts } from '../../../features.content.ts';
import { createState, listDifferences, readState, updateState } from './form-state.ts';

const files = listFiles([factsPart, ...contentParts]);
const read = (file: string) => readFileSync(join(root, 'content', file), 'utf8');

test.each(files)('an untouched form of $path leaves every byte of the file', ({ path: file, schema }) => {
  const text = read(file);
  const fields = readFields(file, text) ?? {};
  const form = createFormSchema(schema);
  const origins = {};
  const unchanged = readState(form, createState(form, fields), fields, origins) as typeof fields;
  expect(unchanged).toEqual(fields);
  expect(editFile(file, text, unchanged, origins)).toBe(text);
});

test('an emptied field is null or left out', () => {
  const [home, company] = [
    createFormSchema(siteContent.files.home.schema),
    createFormSchema(factsPart.files.company.schema),
  ];
  const fields = readFields('home.yaml', read('home.yaml')) ?? {};
  const withoutSteps = updateState(createState(home, fields), ['intro', 'points', '2', 'steps'], () => []);
  expect(JSON.stringify(readState(home, withoutSteps, fields))).not.toContain('"steps"');
  const facts = readFields('company.yaml', read('company.yaml')) ?? {};
  const emptied = updateState(createState(company, facts), ['addressNote'], () => '');
  expect(listDifferences(facts, readState(company, emptied, facts))).toEqual([
    { path: 'addressNote', theirs: 'Example address', ours: null },
  ]);
});
