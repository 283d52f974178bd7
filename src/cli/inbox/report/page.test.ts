import { parse } from 'parse5';
import { expect, test } from 'vitest';
import { writePage } from './page.ts';
import type { Drawn } from './plot.ts';
import { drawRows } from './rows.ts';

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onload='alert(1)",
  '</style></title></svg>&lt;&#39;',
  'שלום \u202eright to left\u2066 👩🏽‍💻 \ud800 \u0007',
  'x'.repeat(300),
];

test('whatever a word is, it is text in the page and no mark-up', () => {
  const rows = hostile.map((name, value) => ({ name, value, text: name, mark: 'main' as const }));
  const drawn: Drawn = {
    ...{ id: 'plot', title: hostile[0] ?? '', shows: hostile[1] ?? '', empty: '' },
    headline: { value: hostile[2] ?? '', label: hostile[3] ?? '' },
    picture: {
      summary: hostile.join(' '),
      legend: hostile.map(name => ({ name, mark: 'main' as const })),
      draw: width => drawRows(width, rows),
    },
    table: { caption: hostile[4] ?? '', head: hostile, rows: [hostile] },
    list: { caption: hostile[5] ?? '', head: hostile, rows: [hostile] },
  };
  const page = writePage([drawn], { now: new Date(0), title: hostile.join() });
  const elements = new Set<string>();
  const attributes = new Set<string>();
  walk(parse(page), node => {
    elements.add(node.nodeName);
    for (const { name } of node.attrs ?? []) attributes.add(name);
  });
  expect([...elements]).not.toContain('script');
  expect([...elements]).not.toContain('img');
  expect([...attributes].filter(name => /^(on|style$|src|href)/.test(name))).toEqual([]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(page).not.toMatch(/[\u0000-\u0009\u202a-\u202e\u2066-\u2069]/);
  expect(page.isWellFormed()).toBe(true);
});

test('a long name is cut where its room ends', () => {
  const { body } = drawRows(350, [{ name: 'x'.repeat(300), value: 1, text: '1', mark: 'main' }]);
  expect(body).toContain('x…<');
  expect(body.length).toBeLessThan(400);
});

type Node = { nodeName: string; attrs?: { name: string }[]; childNodes?: Node[]; content?: Node };

function walk(node: unknown, visit: (node: Node) => void): void {
  const one = node as Node;
  visit(one);
  for (const child of one.childNodes ?? []) walk(child, visit);
}
