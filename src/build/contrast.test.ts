import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tests/harness/site.ts';
import { findPoorContrast } from './contrast.ts';

const theme = readFileSync(join(root, 'src/site/styles/theme.css'), 'utf8');
const choose = (name: string, colour: string) =>
  theme.replace(new RegExp(`^(\\s*--${name}: ).*;`, 'm'), `$1${colour};`);
const lineOf = (name: string) => theme.split('\n').findIndex(line => line.includes(`--${name}: `)) + 1;

test('the shipped colours have enough contrast, in any notation', () => {
  expect(findPoorContrast(theme)).toEqual([]);
  expect(findPoorContrast(choose('signal', '#5DF0B5'))).toEqual([]);
  expect(findPoorContrast(choose('signal', '#fff'))).toEqual([]);
});

test('a colour that cannot be read is refused at the line where it was chosen, with every use of it', () => {
  const found = findPoorContrast(choose('signal', '#2a3a35'));
  expect(found.length).toBeGreaterThan(2);
  const place = `src/site/styles/theme.css line ${lineOf('signal')}: `;
  for (const line of found)
    expect(line.replace(place, '')).toMatch(/^\S.*contrast of \d+\.\d, at least 4\.5/);
  expect(found.every(line => line.startsWith(place))).toBe(true);
  expect(findPoorContrast(choose('signal-deep', '#fe0'))[0]).toContain(`line ${lineOf('signal-deep')}: `);
});

test('the ratio is computed as in WCAG', () => {
  const css = (text: string) => `:root {\n}\n[data-theme="one"] {\n--text: ${text};\n--surface: #fff;\n}`;
  // The grey that is just dark enough on white, and the next lighter one.
  expect(findPoorContrast(css('#767676'))).toEqual([]);
  expect(findPoorContrast(css('#777777'))).toHaveLength(1);
  // The same grey by its lightness.
  expect(findPoorContrast(css('oklch(56.6% 0 0)'))).toEqual([]);
  expect(findPoorContrast(css('oklch(57.5% 0 0)'))).toHaveLength(1);
});

test('an invalid colour or name is reported', () => {
  expect(findPoorContrast(choose('signal', 'greenish'))[0]).toMatch(/line \d+: 'greenish' is no colour/);
  expect(findPoorContrast(choose('accent', 'var(--singal)'))).toEqual([
    expect.stringMatching(/line \d+: 'var\(--singal\)' is no colour/),
  ]);
});

test('a colour may refer to another of its theme, and a field is also a background', () => {
  expect(findPoorContrast(choose('on-accent', 'var(--surface)'))).toEqual([]);
  expect(findPoorContrast(choose('accent', 'var(--surface)'))).not.toEqual([]);
  expect(findPoorContrast(choose('high', 'oklch(50% 0 0)'))[0]).toContain('on high');
  const css = '[data-theme="deep-sea"] {\n--text: #777;\n--surface: #fff;\n}\n:root {\n--text: #000;\n}';
  expect(findPoorContrast(css)).toHaveLength(1);
});
