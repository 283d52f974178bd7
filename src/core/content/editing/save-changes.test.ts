import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../../tests/harness/site.ts';
import { createTempFolder } from '../../../../tests/harness/temp-folder.ts';
import { readSite } from '../../../apps/content.ts';
import { contentParts } from '../../../features.content.ts';
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
  const editor = createContentEditor(contentParts, content, join(folder, 'data/desk-history'));
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
    expect(await change(editor, 'company.yaml', {})).toEqual({ state: 'unchanged', draftErrors: [] });
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

/** A post that gets another date, and with it another file. */
function movePost(content: string) {
  const [name = ''] = readdirSync(join(content, 'blog'));
  const [from, to] = [`blog/${name}`, name.replace(/^[\d-]{10}/, 'blog/2026-11-01')];
  const text = readFileSync(join(content, from), 'utf8');
  const moved = text.replace(/^date: .*$/m, 'date: 2026-11-01');
  const hashes = { [from]: hashText(text), [to]: hashText(undefined) };
  return { changes: new Map(Object.entries({ [from]: null, [to]: moved })), hashes, summary: 'Move a post' };
}

test('a post that was moved can be undone in a git repository', async () => {
  const { editor, content, git } = setUp({ isRepository: true });
  expect(await editor.save(movePost(content))).toMatchObject(saved);
  expect(git('diff', '--name-status', 'HEAD~')).toMatch(/^R/);
  const [move] = await editor.listChanges(1);
  expect(await editor.undo(move?.id ?? '')).toMatchObject(saved);
  expect(git('diff', '--name-status', 'HEAD~2')).toBe('');
  expect(await editor.undo(move?.id ?? '')).toMatchObject({ state: 'unchanged' });
});

const noSpace = "Promise.reject({ code: 'ENOSPC' })";

test.each([
  ['killed', 'rename rm', "process.kill(process.pid, 'SIGKILL')", ['false', 'true', 'true saved']],
  ['refused by a full disk', 'rename', noSpace, ['false failed', 'true failed', 'true saved']],
])('a save that is %s at any of its steps is whole or undone when the desk opens again', async (...row) => {
  const [, names, fail, expected] = row;
  const states = new Set<string>();
  for (let step = 1, isOver = false; !isOver; step++) {
    const { folder, content } = setUp();
    const [before, data] = [readdirSync(join(content, 'blog')), join(folder, 'data/desk-history')];
    const { changes, ...request } = movePost(content);
    const script = `import fs from 'node:fs/promises';
      import { syncBuiltinESMExports } from 'node:module';
      let left = ${step};
      for (const name of '${names}'.split(' ')) {
        const original = fs[name];
        fs[name] = (...args) => --left > 0 ? original(...args) : ${fail};
      }
      syncBuiltinESMExports();
      const { createContentEditor } = await import(${JSON.stringify(join(import.meta.dirname, 'save-changes.ts'))});
      const { contentParts } = await import(${JSON.stringify(join(root, 'src/features.content.ts'))});
      const editor = createContentEditor(contentParts, ${JSON.stringify(content)}, ${JSON.stringify(data)});
      const changes = new Map(${JSON.stringify([...changes])});
      console.log((await editor.save({ changes, ...${JSON.stringify(request)} })).state);
      if (left > 0) console.log('over');`;
    const child = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
    });
    const [state = '', over] = child.stdout.trim().split('\n');
    rmSync(join(data, 'lock'), { force: true });
    const editor = createContentEditor(contentParts, content, data);
    const listPosts = () => readdirSync(join(content, 'blog')).filter(name => !name.startsWith('.'));
    const isLeft = existsSync(join(data, 'begun.json')) || undefined;
    expect(listPosts().length).toBeGreaterThanOrEqual(before.length);
    expect([child.stderr, (await editor.finishInterrupted())?.state]).toEqual(['', isLeft && 'finished']);
    const posts = listPosts();
    const isMoved = posts.join() !== before.join();
    expect((await editor.listChanges(10)).length).toBe(isMoved ? 1 : 0);
    expect([posts.length, readSite(content).errors]).toEqual([before.length, []]);
    states.add(`${isMoved} ${state}`.trim());
    isOver = over === 'over';
  }
  expect([...states]).toEqual(expected);
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
  const draftErrors = [{ path: ['summary'] }, { path: ['topics'] }];
  expect(await editor.save({ ...added, summary: 'Add a draft' })).toMatchObject({ ...saved, draftErrors });
  expect(read(file)).toBe(draft);
  const again = { ...added, hashes: { [file]: hashText(draft) }, summary: '' };
  expect(await editor.save(again)).toMatchObject({ state: 'unchanged', draftErrors });
});
