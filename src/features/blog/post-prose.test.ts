import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createTempFolder } from '../../../tests/harness/temp-folder.ts';
import type { PostLabels } from './blog-types.ts';
import { parsePostProse } from './post-prose.ts';

const words: PostLabels = {
  topics: [],
  callouts: { note: 'Note', tip: 'Tip', important: 'Important', warning: 'Warning', caution: 'Caution' },
  table: 'Table',
  code: 'Code',
  footnotes: 'Footnotes',
  backToText: 'Back to note',
};
/** One pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const tall = Buffer.from(png);
tall.writeUInt32BE(1000, 16);
tall.writeUInt32BE(16_384, 20);

let folder: string;
beforeEach(() => {
  folder = createTempFolder();
  const files = {
    'dot.png': png,
    'tall.png': tall,
    'cut.png': png.subarray(0, 40),
    'drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'other.jpg': 'no picture at all',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
});

const parse = (markdown: string) => parsePostProse(markdown, words, folder);
const findErrors = (markdown: string) =>
  parse(markdown).errors.map(({ line, reason }) => `${line} ${reason}`);

test('a table has scoped headings, alignment classes and a scrollable region', () => {
  const { prose, errors } = parse('| A *b* | C |\n| :-- | --: |\n| 1 | 2 |\n| 3 |');
  expect(errors).toEqual([]);
  const region = { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': 'Table: A b, C' };
  expect(prose).toEqual([['div', region, expect.arrayContaining(['table'])]]);
  const html = JSON.stringify(prose);
  expect(html).toContain('["th",{"scope":"col","class":"align-right"},"C"]');
  expect(html).toContain('["tr",{},["td",{},"3"],["td",{"class":"align-right"}]]');
});

test('footnotes come last, numbered by first reference, with links back', () => {
  const { prose, errors } = parse(
    'One[^b], two[^a], one again[^b].\n\n[^a]: Alpha.\n[^b]: Beta.[^c]\n[^c]: Gamma.',
  );
  expect(errors).toEqual([]);
  const html = JSON.stringify(prose);
  expect(html).toContain('["a",{"href":"#note_1","id":"note_1_ref","role":"doc-noteref"},"1"]');
  expect(html).toContain('"href":"#note_1","id":"note_1_ref_2"');
  expect(html).toMatch(/"li",\{"id":"note_1"\},\["p",\{\},"Beta\."/);
  expect(html).toContain(
    '"href":"#note_1_ref_2","class":"note-back","role":"doc-backlink","aria-label":"Back to note 1.2"',
  );
  expect(html).toMatch(/"aria-label":"Back to note 2"/);
});

test.each(['note', 'TIP', 'WARNING'])('> [!%s] is a callout with its label', name => {
  const { prose, errors } = parse(`> [!${name}]\n> Mind **this**.`);
  expect(errors).toEqual([]);
  const key = name.toLowerCase() as keyof PostLabels['callouts'];
  const label = ['p', { class: 'callout-label' }, words.callouts[key]];
  const content = ['p', {}, 'Mind ', ['strong', {}, 'this'], '.'];
  expect(prose).toEqual([['aside', { class: `callout callout-${key}`, role: 'note' }, label, content]]);
});

test('a picture alone in its paragraph has its size, a URL with its hash, and its caption', () => {
  const { prose, images, errors } = parse('![A dot](dot.png "Seen from far")\n\n![Again](dot.png)');
  expect(errors).toEqual([]);
  const [first = [], second = []] = prose as unknown[][];
  const attributes = (first[2] as unknown[])[1] as Record<string, string>;
  expect(attributes).toEqual({
    src: expect.stringMatching(/^\/blog\/images\/dot-[0-9a-f]{10}1\.webp$/),
    alt: 'A dot',
    width: '1',
    height: '1',
    decoding: 'async',
  });
  expect(first[3]).toEqual(['figcaption', {}, 'Seen from far']);
  expect(JSON.stringify(second)).toContain('"loading":"lazy"');
  expect(images).toEqual([
    { file: join(folder, 'dot.png'), line: 1, variants: [{ path: attributes.src, width: 1, height: 1 }] },
    expect.objectContaining({ line: 3 }),
  ]);
});

test.each([
  ['```cobol\nx\n```', "3 has code in 'cobol', expected one of bash, c, css,"],
  ['> [!DANGER]\n> x', "3 begins with '[!DANGER]', expected one of [!NOTE], [!TIP]"],
  ['text[^1]', '3 refers to the footnote [^1], which is missing'],
  ['[^a]: see[^b]\n\n[^b]: see[^a]', '3 defines the footnote [^a], which only unused footnotes refer to'],
  ['## Costs *much[^1]*\n\n[^1]: x', '3 has a footnote in a heading'],
  ['| A |\n| - |\n| 1 | 2 |', '5 has a table row of 2 cells below 1 headings'],
  ['![x](my dot.png)', "3 has '![x](my dot.png)', which is not a valid link or picture"],
  ['![x](tall.png)', '3 shows tall.png, which is 1000 × 16384 pixels, too tall for one picture'],
  ['![](dot.png)', '3 shows dot.png without a description'],
  ['![x](gone.png)', '3 shows gone.png, which is missing'],
  ['![x](cut.png)', '3 shows cut.png, which is incomplete'],
  ['![x](drawing.svg)', '3 shows drawing.svg, which is an SVG, which can contain scripts'],
  ['![x](other.jpg)', '3 shows other.jpg, which is not a PNG, JPEG or WebP'],
  ['![x](../dot.png)', "3 shows '../dot.png'; a picture must be a PNG, JPEG or WebP beside the post"],
  ['words ![x](dot.png)', '3 has a picture within a paragraph'],
  ['[x](javascript:alert(1))', "3 links to 'javascript:alert(1)'"],
])('%s is an error, with its line', (markdown, told) => {
  const found = findErrors(`first\n\n${markdown}`);
  expect(found[0]).toContain(told);
});
