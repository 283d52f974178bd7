import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPolicyBreaks } from '../../build/content-security-policy.ts';
import { parsePostProse } from './post-prose.ts';
import type { PostWords } from './types.ts';

const words: PostWords = {
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

/** The same, as if it had another size. */
function sized(width: number, height: number): Buffer {
  const other = Buffer.from(png);
  other.writeUInt32BE(width, 16);
  other.writeUInt32BE(height, 20);
  return other;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wardhouse-posts-'));
  writeFileSync(join(folder, 'dot.png'), png);
  writeFileSync(join(folder, 'empty.png'), sized(0, 0));
  writeFileSync(join(folder, 'tall.png'), sized(1000, 16_384));
  writeFileSync(join(folder, 'cut.png'), png.subarray(0, 40));
  writeFileSync(join(folder, 'drawing.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(folder, 'other.jpg'), 'no picture at all');
});
afterAll(() => rmSync(folder, { recursive: true }));

const parse = (markdown: string) => parsePostProse(markdown, words, folder);
const mistakesOf = (markdown: string) =>
  parse(markdown).mistakes.map(({ line, reason }) => `${line} ${reason}`);

test('a table has headings with a scope, sides as classes, and a place of its own to scroll in', () => {
  const { prose, mistakes } = parse('| A *b* | C |\n| :-- | --: |\n| 1 | 2 |\n| 3 |');
  expect(mistakes).toEqual([]);
  expect(prose).toEqual([
    [
      'div',
      { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': 'Table: A b, C' },
      [
        'table',
        {},
        [
          'thead',
          {},
          [
            'tr',
            {},
            ['th', { scope: 'col' }, 'A ', ['em', {}, 'b']],
            ['th', { scope: 'col', class: 'align-right' }, 'C'],
          ],
        ],
        [
          'tbody',
          {},
          ['tr', {}, ['td', {}, '1'], ['td', { class: 'align-right' }, '2']],
          ['tr', {}, ['td', {}, '3'], ['td', { class: 'align-right' }]],
        ],
      ],
    ],
  ]);
});

test('footnotes stand below, numbered as they are referred to, with a way back to each place', () => {
  const { prose, mistakes } = parse('One[^b], two[^a], one again[^b].\n\n[^a]: Alpha.\n[^b]: Beta.');
  expect(mistakes).toEqual([]);
  const html = JSON.stringify(prose);
  expect(html).toContain('["a",{"href":"#note_1","id":"note_1_ref","role":"doc-noteref"},"1"]');
  expect(html).toContain('"href":"#note_1","id":"note_1_ref_2"');
  expect(html).toMatch(/"li",\{"id":"note_1"\},\["p",\{\},"Beta\."/);
  expect(html).toContain(
    '"href":"#note_1_ref_2","class":"note-back","role":"doc-backlink","aria-label":"Back to note 1.2"',
  );
  expect(html).toMatch(/"aria-label":"Back to note 2"/);
});

test('no heading can take the id of a footnote', () => {
  const { prose } = parse('## Note 1\n\n## note_1 ref\n\n## Notes\n\nText[^1].\n\n[^1]: Below.');
  const ids = Array.from(JSON.stringify(prose).matchAll(/"id":"([^"]+)"/g), ([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBe(6);
});

test.each(['note', 'TIP', 'Important', 'WARNING', 'CAUTION'])('> [!%s] is a callout with its label', name => {
  const { prose, mistakes } = parse(`> [!${name}]\n> Mind **this**.\n>\n> - And that.`);
  expect(mistakes).toEqual([]);
  const key = name.toLowerCase() as keyof PostWords['callouts'];
  expect(prose).toEqual([
    [
      'aside',
      { class: `callout callout-${key}`, role: 'note' },
      ['p', { class: 'callout-label' }, words.callouts[key]],
      ['p', {}, 'Mind ', ['strong', {}, 'this'], '.'],
      ['ul', {}, ['li', {}, 'And that.']],
    ],
  ]);
});

test('a callout may begin with a list', () => {
  const { prose, mistakes } = parse('> [!TIP]\n> - One.');
  expect(mistakes).toEqual([]);
  expect(JSON.stringify(prose)).toContain('"Tip"],["ul",{},["li",{},"One."]]');
});

test('a quotation, code and a rule are what they are, and code is never more than text', () => {
  const { prose, mistakes } = parse(
    '> said\n\n`a <b>`\n\n---\n\n```html\n<script>alert(1)</script>\n```\n\n    plain',
  );
  expect(mistakes).toEqual([]);
  expect(prose).toEqual([
    ['blockquote', {}, ['p', {}, 'said']],
    ['p', {}, ['code', {}, 'a <b>']],
    ['hr', {}],
    [
      'pre',
      { tabindex: '0', role: 'group', 'aria-label': 'Code: html' },
      ['code', { class: 'language-html' }, '<script>alert(1)</script>'],
    ],
    [
      'pre',
      { tabindex: '0', role: 'group', 'aria-label': 'Code' },
      ['code', { class: 'language-text' }, 'plain'],
    ],
  ]);
});

test.each([
  ['Bash', 'bash'],
  ['sh', 'bash'],
  ['yml', 'yaml'],
  ['TOML', 'toml'],
])('code in %s is code in %s', (name, language) => {
  const { prose, mistakes } = parse(`\`\`\`${name}\nx\n\`\`\``);
  expect(mistakes).toEqual([]);
  expect(JSON.stringify(prose)).toContain(`"language-${language}"`);
});

test('notes that a note of the text refers to are reached', () => {
  expect(mistakesOf('a[^a]\n\n[^a]: see[^b]\n\n[^b]: see[^a]')).toEqual([]);
});

test('a picture alone in its paragraph has its size, its address by content, and its caption', () => {
  const { prose, pictures, mistakes } = parse('![A dot](dot.png "Seen from far")\n\n![Again](dot.png)');
  expect(mistakes).toEqual([]);
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
  expect(pictures).toEqual([
    { file: join(folder, 'dot.png'), line: 1, addresses: [{ path: attributes.src, width: 1, height: 1 }] },
    expect.objectContaining({ line: 3 }),
  ]);
});

test.each([
  ['```cobol\nx\n```', "3 has code in 'cobol', expected one of bash, c, css,"],
  ['```bash run\nx\n```', "3 has 'run' after the language"],
  ['```\n\n```', '3 has a code block with nothing in it'],
  ['> [!DANGER]\n> x', "3 begins with '[!DANGER]', expected one of [!NOTE], [!TIP]"],
  ['> [!NOTE] x', '3 has words beside [!NOTE]'],
  ['> [!NOTE]  \n> x', '3 has spaces behind [!NOTE]'],
  ['> [!NOTE]**x**', '3 has words beside [!NOTE]'],
  ['> [!NOTE]', '3 has nothing below [!NOTE]'],
  ['text[^1]', '3 refers to the footnote [^1], which is missing'],
  ['[^1]: alone', '3 has the footnote [^1], which nothing refers to'],
  [
    '[^a]: see[^b]\n\n[^b]: see[^a]',
    '3 has the footnote [^a], which only notes refer to that nothing leads to',
  ],
  ['## Costs *much[^1]*\n\n[^1]: x', '3 has a footnote in a heading'],
  ['a[^1]\n\n[^1]: x\n[^1]: y', '6 has the footnote [^1] twice'],
  ['| A |\n| - |', '3 has a table without rows'],
  ['| A |\n| - |\n| 1 | 2 |', '5 has 2 cells in a line of a table that has 1 headings'],
  ['| A | B |\n| --- |\n| 1 | 2 |', '3 has a table that cannot be read'],
  ['![x](my dot.png)', "3 has '![x](my dot.png)', which is no link and no picture"],
  ['see [*x*](/creator #x)', "3 has '](/creator #x)', which is no link"],
  [
    '![x](<my dot.png>)',
    "3 shows 'my dot.png'; a picture is a PNG, JPEG or WebP beside the post, its name of letters",
  ],
  ['![x](empty.png)', '3 shows empty.png, which ends before the picture does'],
  ['![x](tall.png)', '3 shows tall.png, which is 1000 × 16384 pixels, too tall for one picture'],
  ['![](dot.png)', '3 shows dot.png without saying what is on it'],
  ['![x](gone.png)', '3 shows gone.png, which is missing'],
  ['![x](cut.png)', '3 shows cut.png, which ends before the picture does'],
  ['![x](drawing.svg)', '3 shows drawing.svg, which is an SVG, which can hold scripts'],
  ['![x](other.jpg)', '3 shows other.jpg, which is no PNG, JPEG or WebP'],
  ['![x](../dot.png)', "3 shows '../dot.png'; a picture is a PNG, JPEG or WebP beside the post"],
  ['![x](https://example.com/dot.png)', "3 shows 'https://example.com/dot.png'; a picture is"],
  ['words ![x](dot.png)', '3 has a picture within a paragraph'],
  ['<b>raw</b>', '3 holds raw HTML'],
  ['[x](javascript:alert(1))', "3 links to 'javascript:alert(1)'"],
])('%s is a mistake, with its line', (markdown, told) => {
  const found = mistakesOf(`first\n\n${markdown}`);
  expect(found[0]).toContain(told);
});

test('whatever a post holds, no policy is broken by it', () => {
  const { prose } = parse('`<img onerror=x>`\n\n> [!NOTE]\n> x\n\n| <a |\n| --- |\n| b |\n\n![x](dot.png)');
  const write = (nodes: typeof prose): string =>
    nodes
      .map(node => {
        if (typeof node === 'string') return node.replaceAll('<', '&lt;');
        const [tag, attributes, ...children] = node;
        const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`);
        return `<${tag}${written.join('')}>${write(children)}</${tag}>`;
      })
      .join('');
  expect(findPolicyBreaks(write(prose))).toEqual([]);
});
