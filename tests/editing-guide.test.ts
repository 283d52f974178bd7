import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paths } from '../src/site/paths.ts';
import { type Copy, copyProject } from './harness/process.ts';
import { builtSite, root } from './harness/site.ts';

/** The examples of both guides, applied to one copy of the project and built. */
const guide = readFileSync(join(root, 'docs/owner/editing.md'), 'utf8');
const design = readFileSync(join(root, 'docs/engineer/design.md'), 'utf8');
const boxes = [...readBoxes(guide), ...readBoxes(design)];
const [post = { file: '', lines: [] }] = readBoxes(guide, 'markdown');
let copy: Copy;
beforeAll(async () => {
  copy = copyProject();
  for (const box of boxes) apply(box);
  // A blog without posts may have no folder.
  mkdirSync(join(copy.folder, post.file, '..'), { recursive: true });
  writeFileSync(join(copy.folder, post.file), `${post.lines.join('\n')}\n`);
  const built = copy.start({}, { script: 'src/cli/build.ts' });
  expect(`${await built.ended} ${built.output()}`).toMatch(/^0 /);
}, 60_000);
afterAll(() => copy?.[Symbol.asyncDispose]());

test('the guides have their five tasks', () => {
  expect(boxes.map(({ file }) => file)).toEqual([
    'content/company.yaml',
    'content/faq.yaml',
    'content/services.yaml',
    'content/home.yaml',
    'src/site/styles/theme.css',
  ]);
  expect(post.file).toMatch(/^content\/blog\/.*\.md$/);
});

test('every page that the guide names exists', () => {
  const named = [...guide.matchAll(/`(\/[a-z-]*)`/g)].map(([, address]) => address);
  expect(named.length).toBeGreaterThan(3);
  expect(Object.values<string>(paths)).toEqual(expect.arrayContaining(named));
});

test('the new phone number replaces the old one on every page, as text and as a link', () => {
  const phone = added('company.yaml', /phone: "(.*)"/);
  const old = /tel:(\d+)"[^>]*>([^<]*)</.exec(read('contact.html', builtSite)) ?? [];
  const pages = listPages(builtSite).filter(page => read(page, builtSite).includes(`tel:${old[1]}`));
  expect(pages).toContain('contact.html');
  for (const page of pages) {
    expect(read(page)).toContain(`tel:${phone.replaceAll(' ', '')}"`);
    expect(read(page)).toContain(`>${phone}<`);
  }
  for (const page of listPages()) {
    expect(read(page)).not.toContain(`tel:${old[1]}`);
    expect(read(page)).not.toContain(String(old[2]));
  }
});

test('the new question has its own URL, its answer and its link', () => {
  const id = added('faq.yaml', /- id: (.*)/);
  const page = read('faq.html');
  expect(page).toContain(`id="${id}-question">${added('faq.yaml', /question: (.*)/)}</summary>`);
  const [, answer = ''] = new RegExp(`<article[^>]* id="${id}">(.*?)</article>`, 's').exec(page) ?? [];
  expect(answer).toContain(added('faq.yaml', /answer: \|\n\+ +(.*)/));
  expect(answer).toMatch(/<a href="\/contact"[^>]*>Contact page<\/a>/);
});

test('the new service has its section, its card and its option in the form', () => {
  const id = added('services.yaml', /- id: (.*)/);
  const name = added('services.yaml', /name: (.*)/);
  const services = read('creator.html');
  const [, place = ''] = new RegExp(`<li[^>]*id="${id}"[^>]*>(.*?)</li>`, 's').exec(services) ?? [];
  expect(place).toContain(`>${name}</h2>`);
  expect(place).toMatch(/<use href="[^"]*#shield-lines"/);
  expect(services).toMatch(new RegExp(`<option[^>]*>${name}</option>`));
  expect(read('index.html')).toContain(`>${name}</h3>`);
  expect(read('index.html')).toContain(added('services.yaml', /summary: (.*)/));
});

test('the pages have the new colours, with enough contrast for the build', () => {
  const [css = ''] = /<style>.*?<\/style>/s.exec(read('index.html')) ?? [];
  expect(css).toContain(`--signal:${added('theme.css', /--signal: (.*);/)}`);
  expect(css).toContain(`--signal-deep:${added('theme.css', /--signal-deep: (.*);/)}`);
});

test('the new post is at the URL of the guide, with its title, and is linked from the list', () => {
  const [, address = ''] = /is shown at\n`(.*?)`/.exec(guide) ?? [];
  const [, title = ''] = /^title: (.*)$/m.exec(post.lines.join('\n')) ?? [];
  const page = read(`${address}.html`);
  expect(page).toMatch(new RegExp(`<h1[^>]*>${title}</h1>`));
  for (const made of ['<table', 'callout-tip', 'id="note_1"', 'id="on-the-day"'])
    expect(page).toContain(made);
  expect(read('blog.html')).toContain(`href="${address}"`);
});

type Box = { file: string; lines: string[] };

function readBoxes(guide: string, kind = 'diff'): Box[] {
  const box = new RegExp(`^\`\`\`${kind} (\\S+)\\n(.*?)^\`\`\`$`, 'gms');
  return Array.from(guide.matchAll(box), ([, file = '', text = '']) => ({
    file,
    lines: text.trimEnd().split('\n'),
  }));
}

/** As its reader does it: finds the lines that are there, '…' being whatever stands in its place, and types the others. */
function apply({ file, lines }: Box): void {
  const path = join(copy.folder, file);
  const there = lines.filter(line => !line.startsWith('+')).map(line => toPattern(line.slice(1)));
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

function toPattern(line: string): string {
  return RegExp.escape(line).replaceAll(RegExp.escape('…'), '.*');
}

/** What the guide lets its reader type into a file. */
function added(file: string, wanted: RegExp): string {
  const box = boxes.find(one => one.file.endsWith(file));
  const typed = box?.lines.filter(line => line.startsWith('+')).join('\n') ?? '';
  const [, found] = wanted.exec(typed) ?? [];
  if (found === undefined) throw new Error(`The guide adds no ${wanted} to ${file}`);
  return found;
}

function listPages(built = join(copy.folder, 'dist')): string[] {
  return readdirSync(join(built, 'site'), { recursive: true, encoding: 'utf8' }).filter(file =>
    file.endsWith('.html'),
  );
}

function read(page: string, built = join(copy.folder, 'dist')): string {
  return readFileSync(join(built, 'site', page), 'utf8');
}
