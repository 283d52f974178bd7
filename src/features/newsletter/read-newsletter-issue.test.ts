import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { root } from '../../../tests/harness/site.ts';
import { createTempFolder } from '../../../tests/harness/temp-folder.ts';
import { readContent } from '../../apps/content.ts';
import { describeFileError } from '../../core/content/content-error.ts';
import type { Content } from '../../features.content.ts';
import { readNewsletterIssue } from './read-newsletter-issue.ts';

const content = readContent(join(root, 'content')).content as Content;
const front = '---\nsubject: March\npreview: In short\n---\n\n';

let folder: string;
beforeEach(() => {
  folder = createTempFolder();
});

function read(text: string) {
  const name = '2026-03-march.md';
  writeFileSync(join(folder, name), text);
  return readNewsletterIssue(join(folder, name), content);
}

test("an issue is read from a Markdown file, with the company's placeholders filled in", () => {
  const { issue, errors } = read(`${front}Hello from **{company.name}**, see [the FAQ](/faq).\n`);
  expect(errors).toEqual([]);
  const link = ['a', { href: '/faq' }, 'the FAQ'];
  expect(issue).toMatchObject({
    name: '2026-03-march',
    subject: 'March',
    preview: 'In short',
    body: [['p', {}, 'Hello from ', ['strong', {}, content.brand.name], ', see ', link, '.']],
  });
  expect(read('---\nsubject: March\n---\nWords').issue?.preview).toBe('');
});

test('its hash ignores line endings and changes with the text', () => {
  const text = `${front}Words.\n`;
  const hash = read(text).issue?.hash;
  expect(read(`\uFEFF${text.replaceAll('\n', '\r\n')}`).issue?.hash).toBe(hash);
  expect(read(`${text}More.\n`).issue?.hash).not.toBe(hash);
});

test.each([
  ['no fields', 'Just words', 'line 1: must begin with its fields between two lines of ---'],
  ['no subject', '---\npreview: x\n---\nWords', 'line 2: subject is missing'],
  [
    'two lines of subject',
    '---\nsubject: "a\\r\\nBcc: b@c"\n---\nx',
    'line 2: subject contains a line break',
  ],
  ['an unknown placeholder', `${front}Call {phone}.`, 'line 6: body uses the unknown placeholder {phone}'],
  ['a link within the page', `${front}x\n\n## Top\n\nGo [up](#top).`, "line 10: body links to '#top'"],
  ['a line without end', `${front}${'word '.repeat(1200)}`, 'line 6: has 6000 characters in one line'],
])('an error is reported with its line: %s', (_, text, expected) => {
  const { issue, errors } = read(text);
  expect(issue).toBeUndefined();
  const path = join(folder, '2026-03-march.md');
  expect(errors.map(describeFileError)).toEqual([expect.stringContaining(`${path} ${expected}`)]);
});
