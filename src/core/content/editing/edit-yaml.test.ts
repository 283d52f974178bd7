import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../../../../tests/harness/site.ts';
import { editYaml } from './edit-yaml.ts';
import type { ItemOrigins } from './form-types.ts';

const text = `# head
name: One   # first
list:
  - a # old
  - b

flow: [a, b]
note: >- # folded
  folded
  text
# Above the points.
points:
  # About A.
  - title: A # prescribed
    text: >-
      Long.

  - title: B
    steps:
      - one # 1
      - two
group:
  inner: x
  # Above the last.
  last: null`;

type Point = { title: string; text?: string; steps?: string[] };
type Value = { [name: string]: unknown; points: Point[] };
const read = () => parse(text) as Value;

const [pointA, pointB] = read().points as [Point, Point];
const movedPoints = `  - title: B
    steps:
      - new
      - two
      - one # 1

  # About A.
  - title: AA # prescribed
    text: >-
      Long.
`;
const lines = (from: string, to: string) => text.slice(text.indexOf(from), text.indexOf(to));

test.each<[what: string, change: Partial<Value>, before: string, after: string, origins?: ItemOrigins]>([
  ['a text', { name: 'No: 2' }, 'name: One ', 'name: "No: 2" '],
  ['a list', { list: ['c', 'd: e', 'f'] }, '- a # old\n  - b', '- c # old\n  - "d: e"\n  - f'],
  ['a list in brackets', { flow: ['c', 'd, e'] }, '[a, b]', '[c, "d, e"]'],
  ['a folded text', { note: 'new' }, '  folded\n  text', '  new'],
  [
    'a new field',
    { points: [pointA, { title: 'B', text: 'T', steps: ['one', 'two'] }] },
    '- title: B',
    '- title: B\n    text: T',
  ],
  ['a field less', { points: [{ title: 'A' }, pointB] }, '\n    text: >-\n      Long.', ''],
  ['an item less', { points: [pointB] }, lines('  # About A.', '  - title: B'), '', { points: [1] }],
  [
    'moved items, with changes in them,',
    {
      points: [
        { ...pointB, steps: ['new', 'two', 'one'] },
        { ...pointA, title: 'AA' },
      ],
    },
    lines('  # About A.', 'group:'),
    movedPoints,
    { points: [1, 0], 'points/0/steps': [null, 1, 0] },
  ],
])('only %s changes', (_, change, before, after, origins) => {
  const edited = text.replace(before, () => after);
  expect(editYaml(text, { ...read(), ...change }, origins)).toBe(edited);
  const withCrlf = editYaml(text.replaceAll('\n', '\r\n'), { ...read(), ...change }, origins);
  expect(withCrlf).toBe(edited.replaceAll('\n', '\r\n'));
});

test('a value that was emptied before its comment is filled in again', () => {
  expect(editYaml('reply: # how soon\n', { reply: 'Soon' })).toBe('reply: Soon # how soon\n');
});

test('any text is written so that it is read again, and all other lines keep their bytes', () => {
  const words = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc
      .array(fc.constantFrom('word', ' ', '\n', '#', ': ', '- ', "'", '{a}', 'longer words here '), {
        maxLength: 40,
      })
      .map(parts => parts.join('')),
  );
  fc.assert(
    fc.property(words, words, fc.integer({ min: 0, max: 2 }), (one, two, count) => {
      const value = read();
      value.note = one;
      value.points = [{ title: two, text: one }, ...value.points.slice(count)];
      const edited = editYaml(text, value, { points: [null, ...[0, 1].slice(count)] });
      expect(parse(edited)).toEqual(value);
      expect(edited.startsWith(text.slice(0, text.indexOf('note:')))).toBe(true);
      expect(edited.endsWith(text.slice(text.indexOf('\ngroup:')))).toBe(true);
    }),
  );
});

const files = globSync('content/**/*.yaml', { cwd: root }).map(file =>
  readFileSync(join(root, file), 'utf8'),
);

test('in any file of content/, one changed text leaves all other lines as they are', () => {
  expect(files.length).toBeGreaterThan(10);
  fc.assert(
    fc.property(fc.constantFrom(...files), fc.nat(), (file, nth) => {
      const value = parse(file);
      const texts = listTexts(value);
      const { parent, name } = texts[nth % texts.length] as Text;
      parent[name] = `${parent[name]} #new`;
      const edited = editYaml(file, value);
      expect(parse(edited)).toEqual(value);
      const [before, after] = [file, edited].map(whole => whole.split('\n')) as [string[], string[]];
      const start = before.findIndex((line, index) => line !== after[index]);
      const end = before.toReversed().findIndex((line, index) => line !== after.at(-1 - index));
      expect(before.length - end - start).toBeLessThan(30);
      expect(edited.match(/# prescribed/g)).toEqual(file.match(/# prescribed/g));
    }),
    { numRuns: 30 },
  );
});

type Text = { parent: Record<string, unknown>; name: string };

function listTexts(value: unknown): Text[] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Record<string, unknown>;
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string' ? [{ parent, name }] : listTexts(inner),
  );
}
