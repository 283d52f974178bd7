import { expect, test } from 'vitest';
import { parseProse, plainText } from './prose.ts';

test('supported Markdown becomes elements', () => {
  const { prose, errors } = parseProse(
    [
      '## What we **do**',
      '',
      'One line',
      'and *another*.',
      '',
      '- plain',
      '- [a link](/contact#form)',
      '',
      '1. first',
      '',
      '   still first',
    ].join('\n'),
  );
  expect(errors).toEqual([]);
  expect(prose).toEqual([
    ['h2', { id: 'what-we-do' }, 'What we ', ['strong', {}, 'do']],
    ['p', {}, 'One line and ', ['em', {}, 'another'], '.'],
    ['ul', {}, ['li', {}, 'plain'], ['li', {}, ['a', { href: '/contact#form' }, 'a link']]],
    ['ol', {}, ['li', {}, ['p', {}, 'first'], ['p', {}, 'still first']]],
  ]);
});

test('an interrupted numbered list continues its numbering', () => {
  const { prose } = parseProse('1. one\n\nbetween\n\n2. two\n3. three');
  expect(prose).toEqual([
    ['ol', {}, ['li', {}, 'one']],
    ['p', {}, 'between'],
    ['ol', { start: '2' }, ['li', {}, 'two'], ['li', {}, 'three']],
  ]);
});

test('text that looks like HTML or a script stays text', () => {
  expect(parseProse('1 < 2 &amp; \\<b>').prose).toEqual([['p', {}, '1 < 2 & <b>']]);
});

test('headings have unique ids, even with the same text', () => {
  const { prose } = parseProse('## Naïve façades\n## Twice\n### Twice\n## Twice 2\n## 日本');
  expect(prose.map(node => (node[1] as { id: string }).id)).toEqual([
    'naive-facades',
    'twice',
    'twice-2',
    'twice-2-2',
    'section',
  ]);
});

test.each(['https://example.com/a?b=c', '/contact', '/', '#top', 'mailto:a@example.com', 'tel:02079460123'])(
  'a link may lead to %s',
  href =>
    expect(parseProse(`[x](${href})`)).toEqual({ prose: [['p', {}, ['a', { href }, 'x']]], errors: [] }),
);

test.each([
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'data:text/html,x',
  'http://example.com',
  '//example.com',
  '/\\example.com',
  'contact',
])('a link to %s is refused', href => {
  const { prose, errors } = parseProse(`first\n\n[x](${href})`);
  expect(errors).toEqual([{ line: 3, reason: expect.stringContaining(`links to '${href}'`) }]);
  expect(JSON.stringify(prose)).not.toContain(href);
});

test.each([
  ['<div>raw</div>', 'contains raw HTML'],
  ['words <i>raw', 'contains raw HTML'],
  ['## heading with <i>', 'contains raw HTML'],
  ['![cat](/cat.png)', 'contains a picture'],
  ['> said', 'contains a quotation'],
  ['    code', 'contains a code block'],
  ['---', 'contains a rule'],
  ['# Top', 'has a heading of level 1'],
  ['#### Deep', 'has a heading of level 4'],
  ['##', 'has an empty heading'],
  ['## ![cat](/cat.png)', 'contains a picture'],
  ['[](/faq)', 'has a link without text'],
  ['[x](https://)', "links to 'https://', which is not a valid address"],
])('%s is refused once, with its line', (markdown, reason) => {
  const { errors } = parseProse(`first\n\n${markdown}`);
  expect(errors).toEqual([{ line: 3, reason: expect.stringContaining(reason) }]);
});

test('plain text contains all the words and no markup', () => {
  const { prose } = parseProse('**a**b [c](/d)\n\n- e');
  expect(plainText(prose)).toBe('ab ce');
});
