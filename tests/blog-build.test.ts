import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Facts } from '../src/cli/check-launch/check.ts';
import { postChecks } from '../src/cli/check-launch/checks/build.ts';
import { runChecks } from '../src/cli/check-launch/run-checks.ts';
import { readSite } from '../src/content/blog/read-site.ts';
import { type FileEntry, fileTable, loadFiles } from '../src/server/static-files.ts';
import { type Copy, copyProject, type StartedProcess } from './harness/process.ts';
import { sendRaw } from './harness/raw-http.ts';
import { builtSite, testConfig } from './harness/site.ts';

const env = { SITE_URL: 'https://www.example.com' };
const draftWords = 'nobody reads this draft';
const laterWords = 'nobody reads this before its day';

let copy: Copy;
let built: StartedProcess;
beforeAll(async () => {
  copy = copyProject();
  // The owner's blog may have no post, and then no folder.
  mkdirSync(join(copy.folder, 'content/blog'), { recursive: true });
  writePost('2026-01-02-with-a-picture.md', 'Shown at once', '![A square](square.png)\n\nWords.');
  writePost('2026-01-03-a-draft.md', 'Not done', `![A square](draft.png)\n\n${draftWords}`, 'draft: true');
  writePost('2026-01-04-half-done.md', 'Not half done', '![A square](gone.png)', 'draft: true');
  writePost('2099-12-01-in-time.md', 'Not yet', `![A square](later.png)\n\n${laterWords}`);
  const canvas = createCanvas(900, 600);
  for (const [index, name] of ['square', 'draft', 'later'].entries()) {
    canvas.getContext('2d').fillRect(0, 0, 10 + index, 10);
    writeFileSync(join(copy.folder, `content/blog/${name}.png`), await canvas.encode('png'));
  }
  built = copy.start(env, { script: 'src/cli/build.ts' });
  expect(`${await built.ended} ${built.output()}`).toMatch(/^0 /);
}, 90_000);
afterAll(() => copy?.[Symbol.asyncDispose]());

function writePost(name: string, title: string, body: string, more = ''): void {
  const summary = `${title}: a summary that is long enough for search engines to show it below the title.`;
  const facts = [
    `title: ${title}`,
    `summary: "${summary}"`,
    `topics: [${topic()}]`,
    `date: ${name.slice(0, 10)}`,
  ];
  const lines = ['---', ...facts, ...(more ? [more] : []), '---', '', body, ''];
  writeFileSync(join(copy.folder, 'content/blog', name), lines.join('\n'));
}

function topic(): string {
  const yaml = readFileSync(join(copy.folder, 'content/blog.yaml'), 'utf8');
  return /- slug: (\S+)/.exec(yaml)?.[1] ?? '';
}

function listSite(): string[] {
  const site = join(copy.folder, 'dist/site');
  return readdirSync(site, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(site.length));
}

test('a due post has its page and pictures, and is in list, feeds and sitemap', () => {
  const files = listSite();
  expect(files).toContain('/blog/with-a-picture.html');
  expect(files).toContain('/share/blog/with-a-picture.jpg');
  const images = files.filter(file => file.startsWith('/blog/images/'));
  expect(images.map(file => file.replace(/-[0-9a-f]{11}/, '')).sort()).toEqual([
    '/blog/images/square-800.webp',
    '/blog/images/square.webp',
  ]);
  const page = readFileSync(join(copy.folder, 'dist/site/blog/with-a-picture.html'), 'utf8');
  expect(page).toMatch(/<img[^>]* src="\/blog\/images\/square-[0-9a-f]{11}\.webp"/);
  expect(page).toMatch(/<img[^>]* width="900"/);
  for (const file of ['sitemap.xml', 'blog/rss.xml', 'blog/atom.xml', 'blog.html'])
    expect(readFileSync(join(copy.folder, 'dist/site', file), 'utf8'), file).toContain(
      '/blog/with-a-picture',
    );
});

test('drafts and future posts are not in the build, which warns about them', () => {
  const warned = built.output().match(/warning: content\/blog.*/g);
  expect(warned).toEqual([
    'warning: content/blog/2026-01-04-half-done.md line 9: body shows gone.png, which is missing; the post is a draft and was left out',
    'warning: content/blog/2099-12-01-in-time.md: is dated 1 December 2099, so this build leaves it out',
  ]);
  const files = listSite().filter(file => !/\.(br|zst|gz|woff2|jpg|png|webp|ico)$/.test(file));
  expect(files.length).toBeGreaterThan(30);
  const hiddenText = /a-draft|half-done|Not done|Not half|nobody reads this|in-time|Not yet/;
  expect(listSite().filter(file => /a-draft|half-done|images\/(draft|later)|in-time/.test(file))).toEqual([]);
  const holding = files.filter(file =>
    hiddenText.test(readFileSync(join(copy.folder, 'dist/site', file), 'utf8')),
  );
  expect(holding).toEqual([]);
});

test('no script contains the text of a post', () => {
  const scripts = listSite().filter(file => file.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(5);
  for (const file of scripts)
    expect(readFileSync(join(copy.folder, 'dist/site', file), 'utf8')).not.toContain('Shown at once');
});

test('npm start and check-launch report a post that became due after the build', async () => {
  const file = join(copy.folder, 'dist/posts.json');
  const noted = readFileSync(file, 'utf8');
  writeFileSync(file, noted.replace('2099-12-01"', '2026-01-01"'));
  const server = copy.start(env);
  await server.address();
  expect(server.output()).toContain(
    '"event":"post due and not shown","post":"content/blog/2099-12-01-in-time.md"',
  );
  expect(server.output()).not.toContain('Building');
  const ask = async (path: string) => {
    const request = `HEAD ${path} HTTP/1.1\r\nHost: www.example.com\r\n\r\n`;
    return (await sendRaw(Number(new URL(await server.address()).port), request, 1)).text;
  };
  expect(await ask('/Blog/With-A-Picture/')).toMatch(
    /^HTTP\/1.1 30\d .*\r\nLocation: \/blog\/with-a-picture\r/is,
  );
  expect(await ask('/blog/a-draft')).toMatch(/^HTTP\/1.1 404 /);
  const [image = ''] = listSite().filter(one => one.startsWith('/blog/images/'));
  const response = await ask(image);
  expect(response).toMatch(/^HTTP\/1.1 200 /);
  expect(response).toContain('\r\nContent-Type: image/webp\r');
  expect(response).toContain('\r\nCross-Origin-Resource-Policy: cross-origin\r');
  expect(response).toContain('\r\nCache-Control: public, max-age=31536000, immutable\r');

  const facts = {
    words: readSite(join(copy.folder, 'content'), { withDrafts: false }),
    notedPosts: JSON.parse(noted),
  } as Facts;
  const look = (now: string) =>
    runChecks({ ...facts, config: testConfig(env), now: new Date(now) }, postChecks);
  expect(await look('2099-11-30T23:59:00Z')).toEqual([
    expect.objectContaining({
      name: 'Posts',
      state: 'ready',
      found: expect.stringMatching(/^the build shows (one post|\d+ posts)$/),
    }),
  ]);
  expect(await look('2099-12-01T00:00:00Z')).toEqual([
    expect.objectContaining({
      state: 'missing',
      found: 'not in the build: content/blog/2099-12-01-in-time.md; run npm run build, then restart the site',
    }),
  ]);
  facts.notedPosts?.shown.push('blog/2026-01-03-a-draft.md');
  expect(await look('2099-11-30T23:59:00Z')).toEqual([
    expect.objectContaining({
      state: 'missing',
      found:
        'still in the build: content/blog/2026-01-03-a-draft.md; run npm run build, then restart the site',
    }),
  ]);
});

test('assets of the previous build stay available, with their expiry', () => {
  const before: FileEntry[] = JSON.parse(readFileSync(join(builtSite, fileTable), 'utf8'));
  const after: FileEntry[] = JSON.parse(readFileSync(join(copy.folder, 'dist', fileTable), 'utf8'));
  const files = loadFiles(join(copy.folder, 'dist'));
  for (const { path, digest } of before.filter(({ kind }) => kind === 'hashed'))
    expect(files.get(path)?.plain.etag, path).toBe(`"${digest}"`);
  const left = after.filter(
    ({ outdatedSince }) => outdatedSince && Date.now() - Date.parse(outdatedSince) < 120_000,
  );
  const main = before.find(({ path }) => path.startsWith('/static/js/main-'));
  expect(left.map(({ path }) => path)).toContain(main?.path);
  expect(left.filter(({ kind }) => kind !== 'hashed')).toEqual([]);
});

test('an error is reported by file, line and field, and the old build stays', async () => {
  writePost(
    '2026-01-02-with-a-picture.md',
    'Shown at once',
    '![A square](gone.png)\n\n[here](/nowhere-at-all)',
  );
  rmSync(join(copy.folder, 'content/blog/2099-12-01-in-time.md'));
  const failed = copy.start(env, { script: 'src/cli/build.ts' });
  expect(await failed.ended).toBe(1);
  expect(failed.output()).toContain(
    'content/blog/2026-01-02-with-a-picture.md line 8: body shows gone.png, which is missing',
  );
  expect(listSite()).toContain('/blog/with-a-picture.html');
});
