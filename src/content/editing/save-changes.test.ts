import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
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

const saved = { state: 'saved' };

test.each([false, true])(
  'each save can be undone, also an earlier one, and other changes stay; in a git repository: %s',
  async isRepository => {
    const { editor, read, git, folder, content } = setUp({ isRepository });
    const edited = read('company.yaml').replace(/^supportHours: \S+/m, 'supportHours: 10am-4pm');
    writeFileSync(join(content, 'company.yaml'), edited);
    if (isRepository) {
      writeFileSync(join(folder, 'staged.txt'), 'staged');
      git('add', 'staged.txt');
    }
    expect(await change(editor, 'company.yaml', { phone: '020 7946 0999' })).toMatchObject(saved);
    expect(await change(editor, 'company.yaml', { governingLaw: 'the law of Wales' })).toMatchObject(saved);
    expect(await change(editor, 'company.yaml', {})).toEqual({ state: 'unchanged' });
    const changes = await editor.listChanges(10);
    expect(changes.map(one => [one.isCommit, ...one.files.map(({ file }) => file)])).toEqual([
      [isRepository, 'company.yaml'],
      [isRepository, 'company.yaml'],
    ]);
    expect(await editor.undo(changes[1]?.id ?? '')).toMatchObject(saved);
    expect(read('company.yaml')).toBe(edited.replace('governingLaw: null', 'governingLaw: the law of Wales'));
    expect(await editor.undo(changes[1]?.id ?? '')).toMatchObject({ state: 'changed-again' });
    expect((await editor.listChanges(10))[0]).toMatchObject({ summary: 'Undo: Change company.yaml' });
    expect(await editor.undo('2026-11-18T00-00-00.000Z-00')).toEqual({ state: 'unknown' });
    if (!isRepository) return;
    expect(git('status', '--porcelain')).toBe('A  staged.txt\n');
    expect(readdirSync(join(folder, 'data/desk-history'))).toEqual([]);
  },
);

test('a move can be undone in a git repository; interrupted, there is one post, and it is saved again', async () => {
  const { editor, content } = setUp({ isRepository: true });
  const [name = '', ...others] = readdirSync(join(content, 'blog'));
  const file = `blog/${name}`;
  const text = readFileSync(join(content, file), 'utf8');
  const renamed = 'blog/2026-11-01-new.md';
  const changes = new Map([
    [file, null],
    [renamed, text.replace(/^date: .*$/m, 'date: 2026-11-01')],
  ]);
  const hashes = { [file]: hashText(text), [renamed]: hashText(undefined) };
  expect(await editor.save({ changes, hashes, summary: 'Move a post' })).toMatchObject(saved);
  expect(readdirSync(join(content, 'blog'))).not.toContain(name);
  const [latest] = await editor.listChanges(1);
  expect(await editor.undo(latest?.id ?? '')).toMatchObject(saved);
  expect(readFileSync(join(content, file), 'utf8')).toBe(text);
  // As if killed between the two steps.
  const { rename } = fs;
  const spy = vi.spyOn(fs, 'rename').mockImplementation(async (from, to) => {
    if (!String(from).endsWith('.part')) throw new Error('killed');
    await rename(from, to);
  });
  syncBuiltinESMExports();
  const { state } = await editor.save({ changes, hashes, summary: '' });
  spy.mockRestore();
  syncBuiltinESMExports();
  expect(state).toBe('failed');
  expect(readdirSync(join(content, 'blog'))).toEqual([name, ...others]);
  hashes[file] = hashText(readFileSync(join(content, file), 'utf8'));
  expect(await editor.save({ changes, hashes, summary: '' })).toMatchObject(saved);
});

test('an error that the change causes in another file is refused, and nothing is written', async () => {
  const { editor, read } = setUp();
  const before = read('brand/brand.yaml');
  const long = { name: 'A name that is far too long for titles' };
  expect(await change(editor, 'brand/brand.yaml', long)).toMatchObject({
    state: 'refused',
    errors: expect.arrayContaining([expect.objectContaining({ file: 'seo.yaml', path: ['summary'] })]),
  });
  expect(read('brand/brand.yaml')).toBe(before);
  expect(await editor.listChanges(10)).toEqual([]);
});

test('a file that changed since it was read is not overwritten, and a draft may be incomplete', async () => {
  const { editor, read } = setUp();
  const changes = new Map([['company.yaml', 'phone: 1']]);
  const result = await editor.save({ changes, hashes: { 'company.yaml': hashText('older') }, summary: '' });
  expect(result).toEqual({ state: 'changed-meanwhile', files: ['company.yaml'] });
  const file = 'blog/2026-11-18-draft.md';
  const draft = '---\ntitle: Draft\ndate: 2026-11-18\ndraft: true\n---\n\nWords.\n';
  const added = { changes: new Map([[file, draft]]), hashes: { [file]: hashText(undefined) } };
  expect(await editor.save({ ...added, summary: 'Add a draft' })).toMatchObject({
    ...saved,
    draftErrors: [{ path: ['summary'] }, { path: ['topics'] }],
  });
  expect(read(file)).toBe(draft);
});
