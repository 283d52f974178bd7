import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { contentFolder } from '../../core/content/content-folder.ts';
import type { IssueSite, IssueSource } from '../../core/issue-source.ts';
import { readIssueFile } from './read-issue-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'issues-'));
afterAll(() => rmSync(folder, { recursive: true }));

function read(body: string, sources: readonly IssueSource[]) {
  const file = join(folder, '2026-11.md');
  writeFileSync(file, `---\nsubject: Autumn\n---\n\n${body}\n`);
  const site: IssueSite = {
    sources,
    listPagePaths: views => ['/services', ...views.map(({ path }) => path)],
  };
  return readIssueFile(site, { content: contentFolder, published: contentFolder }, file, new Date());
}

test('a draft is read where no feature has posts, and may link to the pages that there are', () => {
  expect(read('[Services](/services) and more.', [])).toMatchObject({
    issue: { subject: 'Autumn' },
    errors: [],
  });
  expect(read('[A post](/news/one)', []).errors).toMatchObject([
    { field: 'body', reason: "links to '/news/one': the site has no such page" },
  ]);
});

test('a draft may link to the posts of a feature', () => {
  const news: IssueSource = {
    part: { name: 'news', files: {} },
    about: 'a piece of news',
    hasFile: () => false,
    findFile: () => undefined,
    nameIssue: file => `news.${file}`,
    readIssue: () => ({ errors: [] }),
    listPosts: () => [],
    listPages: () => [{ path: '/news/one' }],
  };
  expect(read('[A post](/news/one)', [news]).errors).toEqual([]);
});
