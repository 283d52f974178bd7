import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { root } from '../../../../tests/harness/site.ts';
import { createTempFolder } from '../../../../tests/harness/temp-folder.ts';
import { readContent } from '../../../apps/content.ts';
import { type ContentError, describeContentError } from '../content-error.ts';
import { readLogo } from './read-logo.ts';

let folder: string;
beforeEach(() => {
  folder = createTempFolder();
  cpSync(join(root, 'content'), folder, { recursive: true, filter: path => !path.endsWith('content/blog') });
});

const yaml = () => join(folder, 'brand/brand.yaml');
const findErrors = () => readContent(folder).errors.map(describeContentError);

const read = () => readFileSync(yaml(), 'utf8');
const edit = (found: RegExp, written: string) =>
  writeFileSync(
    yaml(),
    read().replace(found, () => written),
  );

test('colours may be written with six or three digits, in either case, or as oklch()', () => {
  edit(/accent: oklch.*/, 'accent: "#5DF0B5"');
  edit(/text: oklch.*/, 'text: "#fff"');
  edit(/# mint:/, 'mint:\n    surface: oklch(86% 0.15 90)');
  expect(findErrors()).toEqual([]);
});

test.each([
  [
    /accent: oklch.*/,
    'accent: "#2a3a35"',
    "accent on high in the theme 'ink' is hard to read: a contrast of 1.3",
  ],
  [
    /# mint:/,
    'mint:\n    surface: "#2a3a35"',
    "surface makes muted on surface in the theme 'mint' hard to read",
  ],
  [
    /text: oklch.*/,
    'text: greenish',
    'text is \'greenish\', which is no colour; write it as "#5df0b5" in quotation',
  ],
  [/text: oklch.*/, 'text: #e9f4ee', 'text is empty; write it as "#5df0b5" in quotation marks'],
])('%s: %j is refused with its line: %s', (found, written, reason) => {
  edit(found, written);
  const line = read()
    .slice(0, read().indexOf(written) + written.length)
    .split('\n').length;
  expect(findErrors()).toEqual([expect.stringContaining(`content/brand/brand.yaml line ${line}: ${reason}`)]);
});

const svg = (inner: string, attributes = 'viewBox="0 0 9 9"') =>
  `<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>\n${inner}\n</svg>\n`;

test.each([
  ['no viewBox', svg('<path d="M0 0"/>', 'width="9"'), 'line 2: viewBox is missing'],
  ['a script', svg('<script>alert(1)</script>'), 'line 3: has <script>; export it as plain SVG'],
  ['a handler', svg('<path onload="x()" d="M0 0"/>'), 'line 3: onload is not allowed here'],
  ['a picture of elsewhere', svg('<g>\n<image href="https://a.example/x.png"/></g>'), 'line 4: has <image>'],
  ['a reference', svg('<path fill="url(https://a.example/#x)"/>'), "line 3: fill is 'url("],
  ['a colour of its own', svg('<path fill="#f00" d="M0 0"/>'), "line 3: fill is '#f00', expected"],
  [
    'an entity',
    svg('&x;').replace('<svg', '<!DOCTYPE svg [<!ENTITY x "y">]>\n<svg'),
    'line 2: has a DOCTYPE',
  ],
])('a logo with %s is refused', (_, text, reason) => {
  const file = join(folder, 'brand/logo.svg');
  writeFileSync(file, text);
  const errors: ContentError[] = [];
  expect(readLogo(file, errors)).toBeUndefined();
  expect(errors.map(describeContentError)[0]).toContain(`content/brand/logo.svg ${reason}`);
});

test('a logo keeps its shapes and loses what drawing programs add', () => {
  const path = '<path id="a" class="b" data-name="c" d="M1 1h7" stroke-width="2"/>';
  writeFileSync(
    join(folder, 'brand/logo.svg'),
    svg(`<title>Mark</title><defs/><g>${path}</g>`, 'viewBox="0,0 9 9"'),
  );
  const shape = { tag: 'path', attributes: { d: 'M1 1h7', 'stroke-width': '2' }, children: [] };
  const group = { tag: 'g', attributes: {}, children: [shape] };
  expect(readContent(folder).content?.brand.logo).toEqual({
    viewBox: '0 0 9 9',
    shape: { tag: 'g', attributes: { fill: 'currentColor' }, children: [group] },
  });
});

test('a logo, and a font that is missing, of another format or described wrongly, are refused with their lines', () => {
  writeFileSync(join(folder, 'brand/logo.svg'), '<html/>');
  rmSync(join(folder, 'brand/fonts/geist-mono.woff2'));
  writeFileSync(join(folder, 'brand/fonts/instrument-sans.woff2'), 'OTTO');
  const lineOf = (file: string) => read().split(`file: ${file}`)[0]?.split('\n').length;
  expect(findErrors()).toEqual([
    `content/brand/brand.yaml line ${lineOf('instrument-sans.woff2')}: file names instrument-sans.woff2, which is not a WOFF2 font; convert it, or ask your designer for one`,
    `content/brand/brand.yaml line ${lineOf('geist-mono.woff2')}: file names geist-mono.woff2, which is missing from content/brand/fonts/`,
    'content/brand/logo.svg line 1: is not an SVG drawing',
  ]);
  edit(/weights: 400 to 700/, 'weights: bold');
  edit(/geist-mono\.woff2/, '../geist.ttf');
  edit(/family: Geist Mono/, 'family: "a\\"; }"');
  edit(/unicodeRange: U\+\S+,/, 'unicodeRange: A1,');
  expect(findErrors().join('\n')).toMatch(
    /weights is 'bold', expected .*unicodeRange is 'A1, .*family is 'a"; }', expected .*file is '\.\.\/geist\.ttf', expected/s,
  );
});
