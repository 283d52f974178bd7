import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../tests/harness/site.ts';
import { createTempFolder } from '../../../tests/harness/temp-folder.ts';
import { editFile, hashText, readFields } from './edit-file.ts';
import { type ContentEditor, createContentEditor } from './save-changes.ts';

function setUp({ isRepository = false } = {}) {
  const folder = createTempFolder();
  const content = join(folder, 'content');
  cpSync(join(root, 'content'), content, { recursive: true });
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
  if (isRepository) {
    git('init', '-q');
    git('config', 'user.name', 'Owner');
    git('config', 'user.email', 'owner@example.com');
    git('add', '.');
    git('commit', '-qm', 'First');
  }
  const editor = createContentEditor(content, join(folder, 'data/desk-history'));
  const read = (file: string) => readFileSync(join(content, file), 'utf8');
  return { folder, content, git, editor, read };
}

function change(editor: ContentEditor, file: string, fields: Record<string, unknown>) {
  const text = readFileSync(join(editor.folder, file), 'utf8');
  const edited = editFile(file, text, { ...readFields(file, text), ...fields });
  const hashes = { [file]: hashText(text) };
  return editor.save({ changes: new Map([[file, edited]]), hashes, summary: `Change ${file}` });
}

test.each([false, true])(
  'each save can be undone, also an earlier one; in a git repository: %s',
  async isRepository => {
    const { editor, read, git, folder } = setUp({ isRepository });
    const first = read('company.yaml');
    if (isRepository) {
      writeFileSync(join(folder, 'staged.txt'), 'staged');
      git('add', 'staged.txt');
    }
    expect(await change(editor, 'company.yaml', { phone: '020 7946 0999' })).toMatchObject({
      state: 'saved',
    });
    expect(await change(editor, 'company.yaml', { governingLaw: 'the law of Wales' })).toMatchObject({
      state: 'saved',
    });
    expect(await change(editor, 'company.yaml', {})).toEqual({ state: 'unchanged' });
    const changes = await editor.listChanges(10);
    expect(changes.map(one => one.files.map(({ file }) => file))).toEqual([
      ['company.yaml'],
      ['company.yaml'],
    ]);
    expect(await editor.undo(changes[1]?.id ?? '')).toMatchObject({ state: 'saved' });
    expect(read('company.yaml')).toBe(first.replace('governingLaw: null', 'governingLaw: the law of Wales'));
    expect(await editor.undo(changes[1]?.id ?? '')).toMatchObject({ state: 'changed-again' });
    expect((await editor.listChanges(10)).map(({ summary }) => summary)[0]).toBe('Undo: Change company.yaml');
    expect(await editor.undo('2026-11-18T00-00-00.000Z-00')).toEqual({ state: 'unknown' });
    if (!isRepository) return;
    expect(git('status', '--porcelain')).toBe('A  staged.txt\n');
    expect(git('log', '--format=%s')).toBe(
      'Undo: Change company.yaml\nChange company.yaml\nChange company.yaml\nFirst\n',
    );
    expect(readdirSync(join(folder, 'data/desk-history'))).toEqual([]);
  },
);

test('undoing a save leaves what another program changed before and after it', async () => {
  const { editor, content, read } = setUp({ isRepository: true });
  const file = join(content, 'company.yaml');
  const edit = (from: string, to: string) => writeFileSync(file, read('company.yaml').replace(from, to));
  edit('governingLaw: null', 'governingLaw: the law of Wales');
  const expected = read('company.yaml');
  expect(await change(editor, 'company.yaml', { phone: '020 7946 0999' })).toMatchObject({ state: 'saved' });
  const [latest] = await editor.listChanges(10);
  expect(await editor.undo(latest?.id ?? '')).toMatchObject({ state: 'saved' });
  expect(read('company.yaml')).toBe(expected);
});

test.each([false, true])(
  'a new and a deleted file can be undone; in a git repository: %s',
  async isRepository => {
    const { editor, content } = setUp({ isRepository });
    const [name = ''] = readdirSync(join(content, 'blog'));
    const file = `blog/${name}`;
    const text = readFileSync(join(content, file), 'utf8');
    const renamed = `blog/2026-11-01-new.md`;
    const changes = new Map([
      [file, null],
      [renamed, text.replace(/^date: .*$/m, 'date: 2026-11-01')],
    ]);
    const hashes = { [file]: hashText(text), [renamed]: hashText(undefined) };
    expect(await editor.save({ changes, hashes, summary: 'Move a post' })).toMatchObject({ state: 'saved' });
    expect(readdirSync(join(content, 'blog'))).not.toContain(name);
    const [latest] = await editor.listChanges(1);
    expect(await editor.undo(latest?.id ?? '')).toMatchObject({ state: 'saved' });
    expect(readFileSync(join(content, file), 'utf8')).toBe(text);
    expect(readdirSync(join(content, 'blog'))).not.toContain('2026-11-01-new.md');
  },
);

test('an error of any file that the change causes is refused, and nothing is written', async () => {
  const { editor, read } = setUp();
  const before = read('home.yaml');
  const offer = readFields('home.yaml', before)?.offer as { cards: string[] };
  expect(await change(editor, 'home.yaml', { offer: { ...offer, cards: ['no-service'] } })).toMatchObject({
    state: 'refused',
    errors: [{ file: 'home.yaml', path: ['offer', 'cards', 0] }],
  });
  expect(
    await change(editor, 'brand/brand.yaml', { name: 'A name that is far too long for titles' }),
  ).toMatchObject({
    state: 'refused',
    errors: expect.arrayContaining([expect.objectContaining({ file: 'seo.yaml', path: ['summary'] })]),
  });
  expect(read('home.yaml')).toBe(before);
  expect(await editor.listChanges(10)).toEqual([]);
});

test('a file that changed since it was read is not overwritten, and a draft may be incomplete', async () => {
  const { editor, content, read } = setUp();
  const changes = new Map([['company.yaml', 'phone: 1']]);
  const result = await editor.save({ changes, hashes: { 'company.yaml': hashText('older') }, summary: '' });
  expect(result).toEqual({ state: 'changed-meanwhile', files: ['company.yaml'] });
  mkdirSync(join(content, 'blog'), { recursive: true });
  const file = 'blog/2026-11-18-draft.md';
  const draft = '---\ntitle: Draft\ndate: 2026-11-18\ndraft: true\n---\n\nWords.\n';
  const saved = await editor.save({
    changes: new Map([[file, draft]]),
    hashes: { [file]: hashText(undefined) },
    summary: 'Add a draft',
  });
  expect(saved).toMatchObject({ state: 'saved', draftErrors: [{ path: ['summary'] }, { path: ['topics'] }] });
  expect(read(file)).toBe(draft);
});
