import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { expect, test } from 'vitest';
import { injections } from '../../../tests/harness/injections.ts';
import { writePage } from './report.ts';

type Node = DefaultTreeAdapterMap['node'];

function listTags(node: Node): string[] {
  const children = 'childNodes' in node ? node.childNodes : [];
  return [node.nodeName, ...children.flatMap(listTags)].filter(name => name !== '#text');
}

/** A page with each of the texts wherever a text can be. */
function writeWith(texts: readonly string[]): string {
  const statistics = texts.map(text => ({
    title: text,
    sentence: text,
    columns: [text, text],
    rows: [{ cells: [text, text], bar: 1 }],
  }));
  return writePage(statistics, { now: new Date(0), title: texts.join(' ') });
}

test('has the same elements with any text', () => {
  const texts = injections.map(({ text }) => text);
  const harmless = listTags(parse(writeWith(texts.map((_, index) => `text ${index}`))));
  expect(harmless.length).toBeGreaterThan(6 * texts.length);
  expect(listTags(parse(writeWith(texts)))).toEqual(harmless);
});
