import { expect, test } from 'vitest';
import type { Prose } from '../../content/prose.ts';
import { partsOf } from './prose.tsx';

const p: Prose[number] = ['p', {}, 'words'];
const h2: Prose[number] = ['h2', { id: 'a' }, 'A'];
const h3: Prose[number] = ['h3', {}, 'B'];

test.each<[string, Prose, Prose[]]>([
  ['without headings is one part', [p, p], [[p, p]]],
  [
    'keeps what comes before the first heading with it',
    [p, h2, p, h2, p],
    [
      [p, h2, p],
      [h2, p],
    ],
  ],
  [
    'never parts a heading from the one right under it',
    [h2, h3, p, h3, p, h2, h3, p],
    [
      [h2, h3, p],
      [h3, p],
      [h2, h3, p],
    ],
  ],
  ['without words is one part without any', [], [[]]],
])('a text %s', (_, prose, parts) => {
  expect(partsOf(prose)).toEqual(parts);
});
