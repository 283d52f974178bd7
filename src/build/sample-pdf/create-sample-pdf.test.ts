import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readContent } from '../../content/read-content.ts';
import { contentFolder } from '../vite-config.ts';
import { createSamplePdf } from './create-sample-pdf.ts';

const { content } = readContent(contentFolder);
if (!content) throw new Error('content/ has errors');
const { sample } = content;
const create = (changed = sample) =>
  createSamplePdf({ ...content, sample: changed }, 'https://www.example.com');

test('the PDF has every page of the report as text, with the sample mark, links, title and language', async () => {
  const { pdf, pageCount } = await create();
  const pages = readPages(pdf);
  expect(pages).toHaveLength(pageCount);
  pages.forEach((page, index) => {
    expect(page).toContain(sample.sheet.stamp.toUpperCase());
    expect(page).toContain(`${index + 1}of${pageCount}`);
  });
  const parts = [
    [sample.cover.client, ...sample.cover.scope.map(({ text }) => text)],
    [...sample.summary.text, ...sample.summary.first],
    ...sample.findings.map(one => [one.title, ...one.exchange, ...one.reproduce, ...one.fix, one.due]),
    sample.summary.steps.flatMap(({ name, text, time }) => [name, text, time]),
    sample.incident.days.flatMap(({ day, done }) => [day, done]),
    sample.retest.findings.flatMap(({ id, title, result }) => [id, title, result]),
  ];
  for (const [index, texts] of parts.entries())
    for (const text of texts) expect(pages[index]).toContain(text.replaceAll(/\s/g, ''));
  const source = pdf.toString('latin1');
  const title = Buffer.from(`\ufeff${sample.title}`, 'utf16le').swap16().toString('hex').toUpperCase();
  const wanted = ['/URI (https://www.example.com/contact)', `/Title <${title}`, '/Lang (en-GB)'];
  expect(wanted.filter(text => !source.includes(text))).toEqual([]);
});

test('text that does not fit continues on a page of its own, and the contents follow', async () => {
  const [first, ...others] = sample.findings;
  if (!first) throw new Error('no finding');
  const reproduce = Array.from({ length: 40 }, (_, index) => `Step ${index + 1} of many`);
  const { pageCount } = await create();
  const pages = readPages((await create({ ...sample, findings: [{ ...first, reproduce }, ...others] })).pdf);
  expect(pages).toHaveLength(pageCount + 1);
  expect(pages.join('')).toContain('40Step40ofmany');
  expect(pages[0]).toContain(`${sample.retest.title}${pageCount + 1}`);
});

/** The text of each page without its spaces, by way of the fonts' tables of characters. */
function readPages(pdf: Buffer): string[] {
  const source = pdf.toString('latin1');
  const objects = new Map<string, { head: string; stream: string }>();
  for (const [, id = '', body = ''] of source.matchAll(/(\d+) 0 obj\n(.*?)\nendobj/gs)) {
    const [head = '', rest] = body.split(/ stream\n/);
    const bytes = Buffer.from(rest?.slice(0, Number(/\/Length (\d+)/.exec(head)?.[1])) ?? '', 'latin1');
    const stream = head.includes('/FlateDecode') && !head.includes('/Image') ? inflateSync(bytes) : bytes;
    objects.set(id, { head, stream: stream.toString('latin1') });
  }
  const find = (pattern: RegExp, head = '') => objects.get(pattern.exec(head)?.[1] ?? '');
  const pages = [...objects.values()].filter(({ head }) => head.includes('/Type /Page\n'));
  return pages.map(({ head }) => {
    let characters = new Map<number, string>();
    const parts =
      find(/\/Contents (\d+)/, head)?.stream.matchAll(/\/F(\d+) [\d.]+ Tf|<([\dA-F]+)> Tj/g) ?? [];
    return Array.from(parts, ([, font, text = '']) => {
      if (font) characters = readCharacters(find(/\/ToUnicode (\d+)/, objects.get(font)?.head)?.stream ?? '');
      return Array.from(Buffer.from(text, 'hex'), code => characters.get(code) ?? '?').join('');
    })
      .join('')
      .replaceAll(/\s/g, '');
  });
}

function readCharacters(table: string): Map<number, string> {
  const characters = new Map<number, string>();
  for (const [, from = '', to, start = ''] of table.matchAll(/^<(\w+)> (?:<(\w+)> )?<(\w{4})>$/gm)) {
    const [first = 0, last = 0, code = 0] = [from, to ?? from, start].map(hex => Number.parseInt(hex, 16));
    for (let glyph = first; glyph <= last; glyph++)
      characters.set(glyph, String.fromCodePoint(code + glyph - first));
  }
  return characters;
}
