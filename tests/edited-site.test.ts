import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listUnpublishedFiles } from '../src/apps/build/list-unpublished-files.ts';
import { createPublisher } from '../src/apps/build/publish-in-child.ts';
import { readSite } from '../src/apps/content.ts';
import type { CheckContext } from '../src/apps/server/launch/context.ts';
import { runChecks } from '../src/apps/server/launch/run-checks.ts';
import { describeProblem } from '../src/core/content/content-error.ts';
import { publishedContent } from '../src/core/http/current-build.ts';
import { postsFile } from '../src/features/blog/due-posts.ts';
import { postChecks } from '../src/features/blog/launch-checks.ts';
import { contactPath } from '../src/features/messages/contract.ts';
import { signUpPath } from '../src/features/newsletter/contract.ts';
import { checkFileBudgets, listCurrentFiles } from './harness/budgets.ts';
import { compileCacheSettings } from './harness/command.ts';
import { type Copy, copyProject, type StartedProcess } from './harness/process.ts';
import { sendRaw } from './harness/raw-http.ts';
import { countPixels, listBrandMarks, rebrand, useOwnContent } from './harness/rebrand.ts';
import { postJson } from './harness/requests.ts';
import { root, testConfig } from './harness/site.ts';
import { paths } from './harness/site-paths.ts';

/**
 * One copy of the project, with the packages of `npm ci --omit=dev` and every change that its owner may make. A scheduled
 * post makes its running server publish them, once for all tests.
 */
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const env = { SITE_URL: 'https://www.example.com', AUDIT: 'off' };
const guide = readFileSync(join(root, 'docs/owner/editing.md'), 'utf8');
const brandGuide = readFileSync(join(root, 'docs/owner/make-it-yours.md'), 'utf8');
const boxes = [...readBoxes(guide), ...readBoxes(brandGuide)];
const [guidePost = { file: '', lines: [] }] = readBoxes(guide, 'markdown');

const longName = 'Saltmarsh Information Security';

let copy: Copy;
let formerMarks: string[];
let server: StartedProcess;
let port: number;
beforeAll(async () => {
  copy = copyProject({ packages: Object.keys(dependencies) });
  // For the processes of the publisher, which have the environment of this one.
  for (const [name, value] of Object.entries(compileCacheSettings(copy.folder))) vi.stubEnv(name, value);
  useOwnContent(copy.folder);
  formerMarks = listBrandMarks(join(copy.folder, 'content'));
  for (const box of boxes) apply(box);
  replace('content/brand/brand.yaml', [[/^(name|logoText): .*$/gm, `$1: ${longName}`]]);
  shortenTitles();
  rebrand(copy.folder);
  addDrawing();
  // A blog without posts may have no folder.
  mkdirSync(join(copy.folder, 'content/blog'), { recursive: true });
  writeFileSync(join(copy.folder, guidePost.file), `${guidePost.lines.join('\n')}\n`);
  writePost('2026-01-02-with-a-picture.md', 'Shown at once', '![A square](square.png)\n\nWords.');
  writePost('2026-01-03-a-draft.md', 'Not done', '![A square](draft.png)\n\nUnread words', 'draft: true');
  writePost('2099-12-01-in-time.md', 'Not yet', '![A square](later.png)\n\nUnread words');
  for (const [index, name] of ['square', 'draft', 'later'].entries())
    writeFileSync(
      join(copy.folder, `content/blog/${name}.png`),
      createCanvas(900, 600 + index).toBuffer('image/png'),
    );
  const waiting = [{ file: 'blog/2026-01-02-with-a-picture.md', date: '2026-01-02' }];
  writeFileSync(join(copy.folder, 'dist/current', postsFile), JSON.stringify({ shown: [], waiting }));
  server = copy.start(env);
  port = Number(new URL(await server.address()).port);
  // What differs is told to the engineer, and no stranger.
  expect(server.output()).toMatch(
    /"build outdated","reason":"the program has changed, content\/ has changed, SITE_URL is https:\/\/www.example.com and was not set, AUDIT is off and was not set","fix":"run npm run publish-site"/,
  );
  expect(await ask('/readyz')).toMatch(/ready\n$/);
  expect(await ask(paths.terms)).not.toContain('the law still to be named');
  await vi.waitFor(
    async () => {
      // A publish that failed is not tried again: there is nothing to wait for.
      if (/"scheduled posts not published"/.test(server.output())) return;
      expect(await ask(paths.terms)).toContain('the law still to be named');
    },
    { timeout: 60_000, interval: 300 },
  );
  expect(server.output()).not.toContain('"scheduled posts not published"');
}, 120_000);
afterAll(async () => {
  vi.unstubAllEnvs();
  await copy?.[Symbol.asyncDispose]();
});

/** Each is followed by the company's name, within 65 characters. */
function shortenTitles(): void {
  for (const file of readdirSync(join(copy.folder, 'content')))
    if (/\.(yaml|md)$/.test(file))
      replace(`content/${file}`, [[/^title: .*$/m, `title: About ${parse(file).name}`]]);
}

/** One more drawing, for the service of the guide. */
function addDrawing(): void {
  const folder = join(copy.folder, 'src/ui/illustrations');
  const drawing = readFileSync(join(folder, 'network-security.svg'), 'utf8');
  const shifted = drawing.replaceAll(/(?<=d="M)(\d+)/g, start => String(Number(start) + 1));
  writeFileSync(join(folder, 'cloud-security.svg'), shifted);
}

function replace(file: string, changes: [RegExp | string, string][]): void {
  const path = join(copy.folder, file);
  const changed = changes.reduce((text, [from, to]) => text.replace(from, to), readFileSync(path, 'utf8'));
  writeFileSync(path, changed);
}

function writePost(name: string, title: string, body: string, more = ''): void {
  const summary = `${title}: a summary that is long enough for search engines to show it below the title.`;
  const facts = [
    `title: ${title}`,
    `summary: "${summary}"`,
    'topics: [testing]',
    `date: ${name.slice(0, 10)}`,
  ];
  const lines = ['---', ...facts, ...(more ? [more] : []), '---', '', body, ''];
  writeFileSync(join(copy.folder, 'content/blog', name), lines.join('\n'));
}

type Box = { file: string; lines: string[] };

function readBoxes(text: string, kind = 'diff'): Box[] {
  const box = new RegExp(`^\`\`\`${kind} (\\S+)\\n(.*?)^\`\`\`$`, 'gms');
  return Array.from(text.matchAll(box), ([, file = '', lines = '']) => ({
    file,
    lines: lines.trimEnd().split('\n'),
  }));
}

/** As its reader does it: finds the lines that are there, '…' being whatever stands in its place, and types the others. */
function apply({ file, lines }: Box): void {
  const path = join(copy.folder, file);
  const there = lines
    .filter(line => !line.startsWith('+'))
    .map(line => RegExp.escape(line.slice(1)).replaceAll(RegExp.escape('…'), '.*'));
  const text = readFileSync(path, 'utf8');
  const found = Array.from(text.matchAll(new RegExp(`^${there.join('\n')}\n`, 'gm')), ([whole]) => whole);
  expect(found, `${file} has the lines of the guide once`).toHaveLength(1);
  const kept = found[0]?.split('\n') ?? [];
  const put = lines.flatMap(line => {
    if (line.startsWith('+')) return [line.slice(1)];
    const [standing = ''] = kept.splice(0, 1);
    return line.startsWith('-') ? [] : [standing];
  });
  writeFileSync(
    path,
    text.replace(found[0] ?? '', () => `${put.join('\n')}\n`),
  );
}

function listSite(): string[] {
  return readdirSync(join(copy.folder, 'dist/current/site'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(join(copy.folder, 'dist/current/site').length));
}

function read(page: string): string {
  return readFileSync(join(copy.folder, 'dist/current/site', page), 'utf8');
}

async function ask(path: string, method = 'GET'): Promise<string> {
  return (await sendRaw(port, `${method} ${path} HTTP/1.1\r\nHost: www.example.com\r\n\r\n`, 1)).text;
}

const isBinary = /\.(br|zst|gz|woff2|jpg|png|webp|ico)$/;

test('a server publishes a scheduled post with what was changed, and shows it without a restart', async () => {
  expect(server.output()).toMatch(/"event":"build outdated".*"event":"new build loaded"/s);
  await expect.poll(() => server.output()).toMatch(/"scheduled posts published".*with-a-picture/);
  expect((await fetch(await server.address())).status).toBe(200);
  expect(await ask('/')).toMatch(/<link href="https:\/\/www.example.com\/" rel="canonical"/);
  expect(await ask(paths.terms)).toContain('governed by the law still to be named');
  // What is not filled is not named.
  for (const path of [paths.home, paths.contact])
    expect(await ask(path)).not.toMatch(/Accreditations|Memberships|VAT number/);
});

test('the examples of the guides are in the build', () => {
  expect(boxes.length).toBeGreaterThan(4);
  const typed = (file: string, wanted: RegExp) => {
    const lines = boxes.filter(box => box.file.endsWith(file)).flatMap(box => box.lines);
    return wanted.exec(lines.join('\n'))?.[1] ?? expect.unreachable(`The guide adds no ${wanted}`);
  };
  expect(read('contact.html')).toContain(`>${typed('company.yaml', /^\+phone: "(.*)"/m)}<`);
  for (const page of ['index.html', 'contact.html'])
    for (const fact of [/^\+ {2}reply: (.*)/m, /^\+ {2}insurance: (.*)/m, /^\+ {2}- name: (.*)/m])
      expect(read(page)).toMatch(new RegExp(`<dd[^>]*>${typed('company.yaml', fact)}`));
  expect(read('faq.html')).toContain(typed('faq.yaml', /^\+.*question: (.*)/m));
  expect(read('creator.html')).toContain(typed('services.yaml', /^\+.* name: (.*)/m));
  const [, address = ''] = /is shown at\n`(.*?)`/.exec(guide) ?? [];
  expect(listSite()).toContain(`${address}.html`);
});

test('a seventh service, a new drawing, a long name, no social link and no audit stay within the budgets', () => {
  expect(read('creator.html').match(/<li class="[^"]*" id="[a-z-]+"><figure/g)).toHaveLength(7);
  expect(read('creator.html')).toContain('#cloud-security"');
  expect(read('index.html')).not.toContain('rel="noopener"');
  checkFileBudgets(join(copy.folder, 'dist/current'), Object.values(paths));
});

test('a due post has its page and image, and is in list, feeds and sitemap; drafts and future posts are nowhere', async () => {
  expect(read('blog/with-a-picture.html')).toMatch(
    /<img[^>]* src="\/blog\/images\/square-[0-9a-f]{11}\.webp"/,
  );
  for (const file of ['sitemap.xml', 'blog/rss.xml', 'blog/atom.xml', 'blog.html'])
    expect(read(file), file).toContain('/blog/with-a-picture');
  const hidden = /a-draft|images\/(draft|later)|Not done|Unread words|in-time|Not yet/;
  const texts = listSite().filter(file => !isBinary.test(file));
  expect(texts.length).toBeGreaterThan(30);
  expect(listSite().filter(file => hidden.test(file))).toEqual([]);
  expect(texts.filter(file => hidden.test(read(file)))).toEqual([]);
});

test('the audit that is switched off has a page that says so, and nothing leads to it', async () => {
  for (const file of ['sitemap.xml', 'llms.txt', 'faq.html', 'index.html'])
    expect(read(file), file).not.toMatch(/\/audit["<)]/);
  expect(read('audit/report.html')).not.toContain('Check your own domain');
  const page = await ask(paths.audit);
  expect(page).toMatch(/<meta content="noindex" name="robots".* is switched off at the moment/s);
  expect(page).not.toMatch(/In about ten seconds|<link[^>]* rel="canonical"|og:image/);
  expect(read('sitemap.xml')).toContain(`${paths['audit-about']}<`);
});

test('check-launch reports a post that became due after the build', async () => {
  const build = join(copy.folder, 'dist/current');
  const siteContent = readSite(join(copy.folder, 'content'));
  const facts = { siteContent, build, config: testConfig(env) } as CheckContext;
  const look = async (now: string) => (await runChecks({ ...facts, now: new Date(now) }, postChecks))[0];
  expect(await look('2099-11-30T23:59:00Z')).toMatchObject({ name: 'Posts', state: 'ready' });
  expect(await look('2099-12-01T00:00:00Z')).toMatchObject({
    state: 'failed',
    detail: 'not in the build: content/blog/2099-12-01-in-time.md',
    advice: 'run npm run publish-site',
  });
});

test('nothing of the former brand is in any file or mail', async () => {
  const origin = await server.address();
  await postJson(origin + contactPath, { name: 'Ada', email: 'ada@example.org', message: 'Hello' });
  await postJson(origin + signUpPath, { email: 'ada@example.org', form: 'home', wording: '' });
  const folder = join(copy.folder, 'data/mail');
  const listMails = () =>
    existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.eml')) : [];
  await expect.poll(listMails).toHaveLength(2);
  const mails = listMails().map(name => readFileSync(join(folder, name), 'utf8'));
  const texts = new Map([
    ...mails.map((text, index): [string, string] => [`mail ${index}`, text]),
    ...listCurrentFiles(join(copy.folder, 'dist/current')).flatMap(file =>
      isBinary.test(file) ? [] : [[file, read(file)] as [string, string]],
    ),
  ]);
  const marks = formerMarks.map(mark => mark.toLowerCase());
  const found = [...texts].flatMap(([name, text]) =>
    marks.filter(mark => `${name}\n${text}`.toLowerCase().includes(mark)).map(mark => `${name}: ${mark}`),
  );
  expect(found).toEqual([]);
  // The notification does not name the company.
  for (const [name, text] of texts)
    if (/^mail|\.html$/.test(name) && !/^Subject: Message from/m.test(text))
      expect(text, name).toContain('Saltmarsh');
  const images = listCurrentFiles(join(copy.folder, 'dist/current')).filter(file =>
    /^share\/(home|blog\/with)|icon.*\.(png|ico)$/.test(file),
  );
  expect(images).toHaveLength(7);
  for (const file of images) {
    const image = readFileSync(join(copy.folder, 'dist/current/site', file));
    expect([file, await countPixels(image, '#5df0b4')]).toEqual([file, 0]);
    expect(await countPixels(image, '#ffc14d'), file).toBeGreaterThan(20);
  }
}, 60_000);

test('a publish that is killed or fails leaves the published site, and names every error with its line', async () => {
  const readLink = () => readlinkSync(join(copy.folder, 'dist/current'));
  const before = readLink();
  const [first, second] = [createPublisher(copy.folder), createPublisher(copy.folder)];
  first.start();
  await vi.waitFor(() => expect(first.getState()).toMatchObject({ step: 'bundle' }), 20_000);
  second.start();
  await vi.waitFor(() => expect(second.getState()).toMatchObject({ state: 'failed', isBusy: true }), 20_000);
  const state = first.getState();
  if (state.state !== 'running' || !state.pid) throw new Error('the publish has ended');
  process.kill(state.pid, 'SIGKILL');
  await vi.waitFor(() => expect(first.getState()).toMatchObject({ state: 'failed', isBusy: false }), 20_000);
  expect(readLink()).toBe(before);

  replace('content/company.yaml', [
    [/^email:.*$/m, 'email: nobody'],
    [/^phone:.*$/m, 'phone: none'],
  ]);
  writePost('2026-01-02-with-a-picture.md', 'Shown at once', '![A square](gone.png)');
  expect(
    listUnpublishedFiles(join(copy.folder, 'content'), join(copy.folder, 'dist/current', publishedContent)),
  ).toEqual([
    { file: 'blog/2026-01-02-with-a-picture.md', change: 'changed' },
    { file: 'company.yaml', change: 'changed' },
  ]);
  // The lock is free again, though the publish before was killed.
  second.start();
  await vi.waitFor(() => expect(second.getState()).toMatchObject({ state: 'failed', isBusy: false }), 20_000);
  const failed = second.getState();
  const output = failed.state === 'failed' ? failed.errors.map(describeProblem).join('\n') : '';
  expect(output).not.toMatch(/^\s+at /m);
  expect(output).toMatch(/content\/company.yaml line \d+: email is 'nobody', expected an email address/);
  expect(output).toMatch(/content\/company.yaml line \d+: phone is 'none'/);
  expect(output).toContain(
    'content/blog/2026-01-02-with-a-picture.md line 8: body shows gone.png, which is missing',
  );
  expect(readLink()).toBe(before);
  expect(await ask('/blog/with-a-picture')).not.toContain('gone.png');
}, 60_000);
