import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../tests/harness/site.ts';
import { describeFileError } from './content-error.ts';
import { readContent } from './read-content.ts';
import { readNewsletterIssue } from './read-newsletter-issue.ts';

const { content } = readContent(join(root, 'content'));
if (!content) throw new Error('content/ has errors');
const { company } = content;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wardhouse-issue-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const front = '---\nsubject: March\npreview: In short\n---\n\n';

function read(text: string | Buffer, name = '2026-03-march.md') {
  writeFileSync(join(folder, name), text);
  return readNewsletterIssue(join(folder, name), company);
}

/** What is wrong, without the path, which each must begin with. */
function findErrors(text: string | Buffer, name = '2026-03-march.md'): string[] {
  const { issue, errors } = read(text, name);
  expect(issue).toBeUndefined();
  const path = `${join(folder, name)} `;
  return errors.map(describeFileError).map(error => {
    expect(error.slice(0, path.length)).toBe(path);
    return error.slice(path.length);
  });
}

describe('a newsletter issue', () => {
  test("is read from a Markdown file, with the company's placeholders filled in", () => {
    const { issue, errors } = read(`${front}Hello from **{company.name}**, see [the FAQ](/faq).\n`);
    expect(errors).toEqual([]);
    expect(issue).toEqual({
      name: '2026-03-march',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      subject: 'March',
      preview: 'In short',
      body: [
        [
          'p',
          {},
          'Hello from ',
          ['strong', {}, company.name],
          ', see ',
          ['a', { href: '/faq' }, 'the FAQ'],
          '.',
        ],
      ],
    });
  });

  test('needs no preview', () => {
    expect(read('---\nsubject: March\n---\nWords').issue?.preview).toBe('');
  });

  test('has a digest that ignores line endings and changes with the text', () => {
    const text = `${front}Words.\n`;
    const digest = read(text).issue?.digest;
    expect(read(`\uFEFF${text.replaceAll('\n', '\r\n')}`).issue?.digest).toBe(digest);
    expect(read(`${text}More.\n`).issue?.digest).not.toBe(digest);
  });
});

describe('an error in a newsletter issue is reported with its line', () => {
  test.each([
    ['no facts', 'Just words', ['line 1: must begin with its fields between two lines of ---']],
    ['no subject', '---\npreview: x\n---\nWords', ['line 2: subject is missing']],
    ['no body', '---\nsubject: March\n---', ['line 4: body is empty']],
    [
      'an unknown field',
      '---\nsubject: x\ntitle: y\n---\nWords',
      ['line 3: title is not a field of this file'],
    ],
    [
      'a long subject',
      `---\nsubject: ${'x'.repeat(121)}\n---\nWords`,
      ['line 2: subject is 121 characters, limit 120'],
    ],
    [
      'a long preview',
      `---\nsubject: x\npreview: ${'x'.repeat(151)}\n---\nWords`,
      ['line 3: preview is 151 characters, limit 150'],
    ],
    [
      'a subject of two lines',
      '---\nsubject: "a\\r\\nBcc: b@c.example"\n---\nWords',
      [expect.stringMatching(/^line 2: subject contains a line break/)],
    ],
    ['an unknown fact', `${front}Call {phone}.`, ['line 6: body uses the unknown placeholder {phone}']],
    [
      'the mark of a link to leave',
      `${front}{{leave}}`,
      ['line 6: body uses the unknown placeholder {leave}'],
    ],
    [
      'a picture',
      `${front}x\n\n![a cat](/cat.png)`,
      [expect.stringMatching(/^line 8: body contains a picture/)],
    ],
    ['raw HTML', `${front}<b>x</b>`, Array(2).fill(expect.stringMatching(/^line 6: body contains raw HTML/))],
    [
      'a link within the page',
      `${front}x\n\n## Top\n\nGo [up](#top).`,
      [expect.stringMatching(/^line 10: body links to '#top'/)],
    ],
    [
      'a link that runs',
      `${front}[x](javascript:alert(1))`,
      [expect.stringMatching(/^line 6: body links to 'javascript/)],
    ],
    [
      'a link to nowhere',
      `${front}[x](https://)`,
      [expect.stringMatching(/^line 6: body links to 'https:\/\/'/)],
    ],
    [
      'a line without end',
      `${front}${'word '.repeat(1200)}`,
      [expect.stringMatching(/^line 6: has 6000 characters in one line/)],
    ],
    [
      'other bytes than text',
      Buffer.from([0x2d, 0xe9, 0x2d]),
      [expect.stringMatching(/^line 1: is not UTF-8 text/)],
    ],
  ])('%s', (_, text, expected) => expect(findErrors(text)).toEqual(expected));

  test.each(['March 2026.md', 'MARCH.md', '-.md', 'march.txt', '.md'])('a file called %s', name => {
    expect(findErrors(`${front}Words`, name)).toEqual([
      expect.stringMatching(/^line 1: needs a file name of lower-case letters/),
    ]);
  });

  test('a placeholder that only a file of the same name in content/ may use', () => {
    expect(findErrors(`${front}{contactHost}`, 'privacy.md')).toEqual([
      'line 6: body uses the unknown placeholder {contactHost}',
    ]);
  });

  test('a missing file, and a folder in its place', () => {
    const missing = join(folder, 'nothing.md');
    expect(readNewsletterIssue(missing, company).errors.map(describeFileError)).toEqual([
      `${missing} line 1: the file is missing`,
    ]);
    mkdirSync(join(folder, 'folder.md'));
    const { errors } = readNewsletterIssue(join(folder, 'folder.md'), company);
    expect(errors.map(({ reason }) => reason)).toEqual([expect.stringMatching(/^is a folder/)]);
  });
});
