import { expect, test } from 'vitest';
import { editYaml } from './edit-yaml.ts';

const text = `# head
name: One   # first
phone: "1 2"
list:
  - a # old
  - b

flow: [a, b]
note: >-
  folded
  text
last: null`;

test.each([
  ['name', 'No: 2', 'name: One ', 'name: "No: 2" '],
  ['name', '2', 'name: One ', 'name: "2" '],
  ['phone', '3', '"1 2"', '"3"'],
  ['list', ['c', 'd: e', 'f'], '- a # old\n  - b', '- c\n  - "d: e"\n  - f'],
  ['flow', ['c', 'd, e'], '[a, b]', '[ c, "d, e" ]'],
  ['note', 'plain', '>-\n  folded\n  text', 'plain'],
  ['last', 'x', 'null', 'x'],
])('only %s changes, to %j', (field, value, before, after) => {
  expect(editYaml(text, [{ path: [field], value }])).toBe(text.replace(before, after));
});

test('a field that is not there is an error', () => {
  expect(() => editYaml(text, [{ path: ['other'], value: '1' }])).toThrow('there is no field other');
});
