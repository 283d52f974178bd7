import { expect, test } from 'vitest';
import { parseProse } from './prose.ts';

test.each([
  [
    '## What we **do**\n\nOne line\nand *another*.',
    [
      ['h2', { id: 'what-we-do' }, 'What we ', ['strong', {}, 'do']],
      ['p', {}, 'One line and ', ['em', {}, 'another'], '.'],
    ],
  ],
  [
    '- plain\n- [a link](/contact#form)',
    [['ul', {}, ['li', {}, 'plain'], ['li', {}, ['a', { href: '/contact#form' }, 'a link']]]],
  ],
  ['1. first\n\n   still first', [['ol', {}, ['li', {}, ['p', {}, 'first'], ['p', {}, 'still first']]]]],
  [
    '1. one\n\nbetween\n\n2. two',
    [
      ['ol', {}, ['li', {}, 'one']],
      ['p', {}, 'between'],
      ['ol', { start: '2' }, ['li', {}, 'two']],
    ],
  ],
  ['1 < 2 &amp; \\<b>', [['p', {}, '1 < 2 & <b>']]],
])('%j becomes elements', (markdown, prose) => {
  expect(parseProse(markdown)).toEqual({ prose, errors: [] });
});

test('headings have unique ids, even with the same text', () => {
  const { prose } = parseProse('## Naïve façades\n## Twice\n### Twice\n## Twice 2\n## 日本');
  const ids = prose.map(node => (node[1] as { id: string }).id);
  expect(ids).toEqual(['naive-facades', 'twice', 'twice-2', 'twice-2-2', 'section']);
});

test.each(['https://example.com/a?b=c', '/', '#top', 'mailto:a@example.com'])('a link may lead to %s', href =>
  expect(parseProse(`[x](${href})`)).toEqual({ prose: [['p', {}, ['a', { href }, 'x']]], errors: [] }),
);

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'http://example.com',
  '//example.com',
  '/\\example.com',
])('a link to %s is refused', href => {
  const { prose, errors } = parseProse(`first\n\n[x](${href})`);
  expect(errors).toEqual([{ line: 3, reason: expect.stringContaining(`links to '${href}'`) }]);
  expect(JSON.stringify(prose)).not.toContain(href);
});

test.each([
  ['<div>raw</div>', 'contains raw HTML'],
  ['![cat](/cat.png)', 'contains a picture'],
  ['> said', 'contains a quotation'],
  ['    code', 'contains a code block'],
  ['# Top', 'has a heading of level 1'],
  ['##', 'has an empty heading'],
  ['[](/faq)', 'has a link without text'],
])('%s is refused once, with its line', (markdown, reason) => {
  const { errors } = parseProse(`first\n\n${markdown}`);
  expect(errors).toEqual([{ line: 3, reason: expect.stringContaining(reason) }]);
});
