import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../tests/harness/site.ts';
import { editFile, readFields } from '../../content/editing/edit-file.ts';
import { createFormSchema } from '../../content/editing/form-schema.ts';
import { contentFiles } from '../../content/read-content.ts';
import { schemas } from '../../content/schemas/all-schemas.ts';
import { createState, type Item, listDifferences, readState, updateState } from './form-state.ts';

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

test('a moved item takes its comment along, and an emptied field is null or left out', () => {
  const text = read('home.yaml');
  const fields = readFields('home.yaml', text) ?? {};
  const form = createFormSchema(schemas.home);
  const reversed = updateState(createState(form, fields), ['offer', 'cards'], cards =>
    (cards as Item[]).toReversed(),
  );
  const changed = updateState(reversed, ['intro', 'points', '2', 'steps'], () => []);
  const origins = {};
  const edited = editFile(
    'home.yaml',
    text,
    readState(form, changed, fields, origins) as typeof fields,
    origins,
  );
  const cards = (fields.offer as { cards: string[] }).cards.toReversed();
  expect(edited).toContain(`cards:\n    - ${cards[0]} # prescribed\n    - ${cards[1]} # prescribed`);
  expect(edited).not.toContain('steps:');
  const company = createFormSchema(schemas.company);
  const facts = readFields('company.yaml', read('company.yaml')) ?? {};
  const emptied = updateState(createState(company, facts), ['addressNote'], () => '');
  expect(readState(company, emptied, facts)).toEqual({ ...facts, addressNote: null });
  expect(listDifferences(facts, readState(company, emptied, facts))).toEqual([
    { path: 'addressNote', theirs: 'Example address', ours: null },
  ]);
});
