import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { expect, test } from 'vitest';
import { maxImageMb } from '../src/lib/image-limits.ts';
import { startDesk } from './harness/desk.ts';
import type { Pages, ViewName } from './harness/desk-pages.ts';
import { disposeAfterAll } from './harness/dispose-after-all.ts';

const desk = await disposeAfterAll(startDesk());
const png = await createCanvas(60, 40).encode('png');

const json = { accept: 'application/json' };
const readContentFile = (file: string) => readFileSync(join(desk.root, 'content', file), 'utf8');

test('the preview refuses what is no file of content/', async () => {
  for (const body of [[], { file: '../package.json', path: '/' }, { file: 'blog/../../x.md', path: '/' }]) {
    const init = { method: 'POST', body: JSON.stringify(body) };
    expect((await desk.request('/words/preview', init)).status).toBe(422);
  }
});

test('colours are saved with their comments kept, unless text could not be read', async () => {
  const { hash } = await readProps<'words/brand'>('/words/brand');
  const refused = await desk.post('/words/brand', { hash, 'paper.accent': '#e0a040' });
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain('hard to read');
  const before = readContentFile('brand/brand.yaml');
  // A file where the folder of the lock should be.
  const history = join(desk.services.config.dataDir, 'desk-history');
  rmSync(history, { recursive: true, force: true });
  writeFileSync(history, '');
  const failed = await desk.post('/words/brand', { hash, 'paper.accent': '#0b5c46' });
  expect([failed.status, await failed.text()]).toEqual([
    422,
    expect.stringMatching(/could not be.*#0b5c46/s),
  ]);
  rmSync(history);
  const saved = await desk.post('/words/brand', { hash, 'paper.accent': '#0b5c46' });
  expect(saved.headers.get('location')).toBe('/words/brand?done=saved');
  expect(readContentFile('brand/brand.yaml')).toBe(
    before.replace(/(paper:\n(?: {4}.*\n)*? {4}accent:).*/, '$1 "#0b5c46"'),
  );
});

test.each([
  ['', '2026-11-01', 'title'],
  ['A post', '', 'date'],
])('a new post with the title %j of %s is refused at its field', async (title, date, field) => {
  const response = await desk.post('/words/posts', { title, date });
  expect([response.status, await response.text()]).toEqual([
    422,
    expect.stringContaining(`id="post-${field}-error"`),
  ]);
});

test('a title over the limit is refused with the words kept, and its counter has the limit of the rule', async () => {
  const title = 'What a managing director should ask before the second penetration test';
  const refused = await desk.post('/words/posts', { title, date: '2026-11-01' });
  const page = await refused.text();
  expect([refused.status, page]).toEqual([422, expect.stringMatching(/id="post-title-error">[^<]*\b53\b/)]);
  expect(page).toContain(`value="${title}"`);
  expect(page).not.toContain('maxLength');
  const { titleLimit } = await readProps<'words/posts'>('/words/posts');
  expect(titleLimit).toBe(53);

  const [post = ''] = readdirSync(join(desk.root, 'content/blog'));
  for (const edited of [`blog/${post}`, 'services.yaml']) {
    const { form } = await readProps<'words/editor'>(`/words/edit?file=${edited}`);
    expect(form.fields?.title?.max, edited).toBe(titleLimit);
  }
});

test('a dead link is refused when it is saved, and what publishing would refuse leads to its field', async () => {
  const file = 'faq.yaml';
  const path = `/words/edit?file=${file}`;
  const { hash, fields } = await readProps<'words/editor'>(path);
  const save = async (answer: string) => {
    const changed = structuredClone(fields) as { groups: { questions: { answer: string }[] }[] };
    const [question] = changed.groups[0]?.questions.slice(1) ?? [];
    if (question) question.answer += `\n\n${answer}\n`;
    const response = await desk.request(path, {
      method: 'POST',
      body: JSON.stringify({ fields: changed, hash }),
    });
    return (await response.json()) as {
      state: string;
      errors?: { path: string; fileTitle: string; reason: string }[];
    };
  };
  const before = readContentFile(file);
  expect(await save('[Write](/contract)')).toMatchObject({
    state: 'refused',
    errors: [
      {
        path: 'groups/0/questions/1/answer',
        fileTitle: 'Help & FAQ',
        reason: "links to '/contract': the site has no such page",
      },
    ],
  });
  expect(readContentFile(file)).toBe(before);
  // By hand, in a text editor.
  writeFileSync(join(desk.root, 'content', file), before.replace(/\]\(\/blog\)/, '](/blogg)'));
  const { errors } = await readProps<'words/publish'>('/words/publish');
  writeFileSync(join(desk.root, 'content', file), before);
  expect(errors).toEqual([
    {
      text: "answer links to '/blogg': the site has no such page",
      editor: {
        file,
        path: expect.stringMatching(
          /^\/words\/edit\?file=faq\.yaml#field-groups\.\d+\.questions\.\d+\.answer$/,
        ),
      },
    },
  ]);
});

const svg = (inner: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inner}</svg>`);

async function upload(kind: string, name: string, bytes: Buffer, description = 'A square') {
  const body = new FormData();
  for (const [field, value] of Object.entries({ kind, description })) body.set(field, value);
  body.set('upload', new File([new Uint8Array(bytes)], name));
  const response = await desk.request('/words/images', { method: 'POST', headers: json, body });
  return { status: response.status, ...((await response.json()) as { markdown?: string; reason?: string }) };
}

test('a picture is saved beside the posts under a plain name of its real type, and no other is replaced', async () => {
  const first = await upload('picture', '../../My Photo (1).JPG', png);
  expect(first).toEqual({ status: 200, markdown: '![A square](my-photo-1.png)' });
  expect(readFileSync(join(desk.root, 'content/blog/my-photo-1.png')).equals(png)).toBe(true);
  const other = await createCanvas(61, 40).encode('png');
  expect((await upload('picture', 'my-photo-1.png', other, 'A [link](x)')).markdown).toBe(
    '![A link (x)](my-photo-1-2.png)',
  );
  const shown = await desk.request('/words/images/file/blog/my-photo-1.png');
  expect(shown.headers.get('content-type')).toBe('image/png');
  expect((await desk.request('/words/images/file/company.yaml')).status).toBe(404);
  await desk.post('/words/images/delete', { file: 'blog/my-photo-1.png' });
  expect(existsSync(join(desk.root, 'content/blog/my-photo-1.png'))).toBe(false);
});

test('files are refused by their content, with the reason, and nothing is saved', async () => {
  const logo = readContentFile('brand/logo.svg');
  const refused: [kind: string, name: string, bytes: Buffer, reason: RegExp][] = [
    ['picture', 'a.png', Buffer.from('no picture'), /^a\.png is not a PNG, JPEG or WebP\.$/],
    ['picture', 'a.png', svg('<script>alert(1)</script>'), /is an SVG, which can contain scripts/],
    ['picture', 'a.png', Buffer.alloc(maxImageMb * 1e6 + 1), /^a\.png is 21 MB, limit 20 MB\.$/],
    ['picture', 'a.png', png.subarray(0, 60), /is incomplete; save it again/],
    ['logo', 'logo.svg', svg('<script>alert(1)</script>'), /has <script>; export it as plain SVG/],
    ['font', 'a.woff2', Buffer.from('OTTO'), /^a\.woff2 is not a WOFF2 font/],
  ];
  for (const [kind, name, bytes, reason] of refused)
    expect(await upload(kind, name, bytes)).toEqual({ status: 422, reason: expect.stringMatching(reason) });
  expect(readContentFile('brand/logo.svg')).toBe(logo);
  expect(existsSync(join(desk.root, 'content/blog/a.png'))).toBe(false);
  expect((await upload('logo', 'x.svg', svg('<path d="M0 0h9v9z"/>'))).status).toBe(200);
  expect(readContentFile('brand/logo.svg')).toContain('M0 0h9v9z');
});

async function readProps<Name extends ViewName>(path: string): Promise<Pages[Name]> {
  const response = await desk.request(path, { headers: json });
  return ((await response.json()) as { props: Pages[Name] }).props;
}

test('what the owner switches off leaves the desk at once, and comes back', async () => {
  const file = join(desk.root, 'content/site.yaml');
  const before = readFileSync(file, 'utf8');
  expect(await (await desk.request('/')).text()).toContain('/newsletter"');
  writeFileSync(file, `features:\n  newsletter: false\n  blog: false\n\n${before}`);
  try {
    const overview = await (await desk.request('/')).text();
    expect(overview).not.toContain('/newsletter"');
    expect(await (await desk.request('/words')).text()).not.toMatch(
      /words\/posts|newsletter\.yaml|blog\.yaml/,
    );
    for (const path of ['/newsletter', '/newsletter/new', '/words/posts']) {
      const response = await desk.request(path);
      expect([response.status, await response.text()], path).toEqual([
        404,
        expect.stringContaining('switched off'),
      ]);
    }
  } finally {
    writeFileSync(file, before);
  }
  expect((await desk.request('/newsletter')).status).toBe(200);
});
