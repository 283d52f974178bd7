import { expect, test } from 'vitest';
import { parseProse, plainText } from './prose.ts';

test('the Markdown that pages have a look for becomes elements', () => {
  const { prose, mistakes } = parseProse(
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
  expect(mistakes).toEqual([]);
  expect(prose).toEqual([
    ['h2', { id: 'what-we-do' }, 'What we ', ['strong', {}, 'do']],
    ['p', {}, 'One line and ', ['em', {}, 'another'], '.'],
    ['ul', {}, ['li', {}, 'plain'], ['li', {}, ['a', { href: '/contact#form' }, 'a link']]],
    ['ol', {}, ['li', {}, ['p', {}, 'first'], ['p', {}, 'still first']]],
  ]);
});

test('a numbered list that something parts goes on where it was', () => {
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

test('headings have link targets of their own, whatever they are called', () => {
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
    expect(parseProse(`[x](${href})`)).toEqual({ prose: [['p', {}, ['a', { href }, 'x']]], mistakes: [] }),
);

test.each([
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'data:text/html,x',
  'http://example.com',
  '//example.com',
  '/\\example.com',
  'contact',
])('a link may not lead to %s', href => {
  const { prose, mistakes } = parseProse(`first\n\n[x](${href})`);
  expect(mistakes).toEqual([{ line: 3, reason: expect.stringContaining(`links to '${href}'`) }]);
  expect(JSON.stringify(prose)).not.toContain(href);
});

test.each([
  ['<div>raw</div>', 'holds raw HTML'],
  ['words <i>raw', 'holds raw HTML'],
  ['## heading with <i>', 'holds raw HTML'],
  ['![cat](/cat.png)', 'holds a picture'],
  ['> said', 'holds a quotation'],
  ['    code', 'holds a code block'],
  ['---', 'holds a rule'],
  ['# Top', 'has a heading of level 1'],
  ['#### Deep', 'has a heading of level 4'],
  ['##', 'has a heading without words'],
  ['## ![cat](/cat.png)', 'holds a picture'],
  ['[](/faq)', 'has a link without words'],
  ['[x](https://)', "links to 'https://', which is no address"],
])('%s is refused once, with its line', (markdown, reason) => {
  const { mistakes } = parseProse(`first\n\n${markdown}`);
  expect(mistakes).toEqual([{ line: 3, reason: expect.stringContaining(reason) }]);
});

test('plain text is all the words and nothing else', () => {
  const { prose } = parseProse('**a**b [c](/d)\n\n- e');
  expect(plainText(prose)).toBe('ab ce');
});
