import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeContentError } from '../../core/content/content-error.ts';
import { findDeadContentLinks } from './check-content-links.ts';
import { contentFolder } from './vite-config.ts';

const scratch = mkdtempSync(join(tmpdir(), 'wardhouse-links-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const folder = join(scratch, 'content');
cpSync(contentFolder, folder, { recursive: true });
const build = join(scratch, 'build');
cpSync(contentFolder, join(build, 'content'), { recursive: true });
for (const [name, id] of [
  ['faq', 'filter'],
  ['privacy', 'ask_'],
]) {
  mkdirSync(join(build, 'site'), { recursive: true });
  writeFileSync(join(build, 'site', `${name}.html`), `<div id="${id}"></div>`);
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

function list(file: string): string[] {
  return findDeadContentLinks(folder, { files: [file], build }).map(describeContentError);
}

const post = (body: string) => `---\ntitle: A post\n---\n\n${body}\n`;
const [question = ''] = /(?<=- id: )which-\S+/.exec(readFileSync(join(folder, 'faq.yaml'), 'utf8')) ?? [];

test('the links of content/ lead to pages and parts of pages', () => {
  expect(findDeadContentLinks(folder, { build }).map(describeContentError)).toEqual([]);
});

test.each<readonly [link: string, reason: string | undefined]>([
  ['/fqa', 'the site has no such page'],
  ['/blog/never-written', 'the site has no such page'],
  ['/blog/topics/cats', 'the site has no such page'],
  ['/faq#never-asked', 'that page has no such part'],
  ['/privacy#never-said', 'that page has no such part'],
  ['/faq?x#never-asked', 'that page has no such part'],
  ...['/', '/faq', `/faq#${question}`, '/faq#filter', '/privacy#complaints', '/privacy#ask_'].map(
    link => [link, undefined] as const,
  ),
  ...[
    '/blog/topics/testing',
    '/blog/page/2',
    '/blog/rss.xml',
    '/creator#not-known-without-a-page',
    '/blog/a-draft',
  ].map(link => [link, undefined] as const),
])('a link to %s is refused with: %s', (link, reason) => {
  write('blog/2026-01-02-a-draft.md', post('Words.'));
  write('blog/2026-01-01-links.md', post(`One\n\nTwo [three](${link}) and \`[no](/link)\`.`));
  const expected = `content/blog/2026-01-01-links.md line 7: body links to '${link}': ${reason}`;
  expect(list('blog/2026-01-01-links.md')).toEqual(reason ? [expected] : []);
});

test('it is named with its field, in a list, a menu and within its own page', () => {
  const edit = (file: string, from: RegExp, to: string) =>
    write(file, readFileSync(join(folder, file), 'utf8').replace(from, to));
  edit('faq.yaml', /\[Blog page\]\(\/blog\)/, '[Blog page](/blogg)');
  const [error] = findDeadContentLinks(folder, { files: ['faq.yaml'], build });
  expect(error).toMatchObject({
    file: 'faq.yaml',
    field: 'answer',
    path: expect.arrayContaining(['groups', 'answer']),
  });
  edit('brand/brand.yaml', /path: \/faq$/m, 'path: /questions');
  expect(list('brand/brand.yaml')).toEqual([
    expect.stringMatching(/ path links to '\/questions': the site has no such page$/),
  ]);
  edit('terms.md', /$/, '\n[Above](#definitions) and [nowhere](#nowhere).\n');
  writeFileSync(join(build, 'site/terms-and-condition.html'), '');
  expect(list('terms.md')).toEqual([
    expect.stringMatching(/ body links to '#nowhere': that page has no such part$/),
  ]);
});
