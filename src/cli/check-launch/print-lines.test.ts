import { expect, test } from 'vitest';
import { plainText } from '../terminal.ts';
import { textWidth } from '../text.ts';
import { drawLines } from './print-lines.ts';

test('no line is wider than the terminal, whatever script or length its words have', () => {
  const found = `${'数字安全公司'.repeat(6)} ${'a'.repeat(90)}, which is no address`;
  const line = {
    name: 'Postal address',
    level: 'must',
    state: 'missing',
    found,
    why: 'It matters.',
  } as const;
  const drawn = plainText(drawLines([line], 60))
    .trimEnd()
    .split('\n');
  expect(drawn.length).toBeGreaterThan(3);
  expect(drawn.filter(one => textWidth(one) > 60)).toEqual([]);
  const words = `${found}. ${line.why}`.replaceAll(' ', '');
  expect(drawn.slice(1).join('').replaceAll(' ', '')).toBe(words);
});
