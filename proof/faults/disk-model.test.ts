import { describe, expect, test } from 'vitest';
import { createDiskModel } from './power/disk-model.ts';
import { type FileEvent, parseRecord } from './power/record.ts';
import { createRandom } from './seeds.ts';

type Step = FileEvent extends infer Event
  ? Event extends FileEvent
    ? Omit<Event, 'at' | 'process'>
    : never
  : never;

describe('after a power cut', () => {
  test('what was synced, with its folder, is always there', () => {
    const [create, folder] = [made('/d/f'), sync('/d', 3)];
    expect(outcomes([create, write('/d/f', 0, 'kept'), sync('/d/f', 2), folder])).toEqual(['f=kept']);
  });

  test('what was written and not synced may be there, or not', () => {
    const before = [made('/d/f'), sync('/d', 1), write('/d/f', 0, 'kept'), sync('/d/f', 3)];
    expect(outcomes([...before, write('/d/f', 4, '+more')])).toEqual(['f=kept', 'f=kept+more']);
  });

  test('of two writes after the sync, the later may be there without the earlier', () => {
    const before = [made('/d/f'), sync('/d', 1)];
    const found = outcomes([...before, write('/d/f', 0, 'one'), write('/d/f', 3, 'two')]);
    expect(found).toEqual(['f=', 'f=\0\0\0two', 'f=one', 'f=onetwo']);
  });

  test('a long write may be torn between two sectors, and nowhere else', () => {
    const before = [made('/d/f'), sync('/d', 1)];
    const found = outcomes([...before, write('/d/f', 0, 'x'.repeat(1024))]);
    expect(found.map(one => one.length - 'f='.length)).toEqual([0, 512, 1024]);
  });

  test('a sync keeps only what was written before it began', () => {
    const before = [made('/d/f'), sync('/d', 1), write('/d/f', 0, 'early'), write('/d/f', 5, '+late')];
    expect(outcomes([...before, sync('/d/f', 3)])).toEqual(['f=early', 'f=early+late']);
  });

  test('a file whose folder was never synced may be gone, synced or not', () => {
    expect(outcomes([made('/d/f'), write('/d/f', 0, 'kept'), sync('/d/f', 2)])).toEqual(['', 'f=kept']);
  });

  test('a file in a folder that may be gone may be gone with it, however deep it lies', () => {
    const folders = [folder('/d/a'), folder('/d/a/b'), made('/d/a/b/f')];
    const synced = [sync('/d/a/b', 3), sync('/d/a', 3)];
    expect(outcomes([...folders, ...synced])).toEqual(['', 'a/b/f=']);
    expect(outcomes([...folders, ...synced, sync('/d', 5)])).toEqual(['a/b/f=']);
  });

  test('a renamed file has the one name, the other or both until its folder is synced', () => {
    const before = [made('/d/new'), write('/d/new', 0, 'x'), sync('/d/new', 2), sync('/d', 3)];
    const renamed: Step = { kind: 'rename', path: '/d/new', to: '/d/f' };
    expect(outcomes([...before, renamed])).toEqual(['f=x', 'f=x new=x', 'new=x']);
    expect(outcomes([...before, renamed, sync('/d', 5)])).toEqual(['f=x']);
  });

  test('truncated data does not come back when the file grows again', () => {
    const before = [made('/d/f'), sync('/d', 1), write('/d/f', 0, 'secret')];
    const cut: Step = { kind: 'truncate', path: '/d/f', size: 0 };
    expect(outcomes([...before, cut, write('/d/f', 4, 'new'), sync('/d/f', 5)])).toEqual(['f=\0\0\0\0new']);
  });
});

test('what strace wrote is read: calls of two threads that overlap, and those that failed', () => {
  const hex = (text: string) => [...text].map(letter => `\\x${letter.charCodeAt(0).toString(16)}`).join('');
  const file = `20<${hex('/d/f')}>`;
  const lines = [
    `7 100.5 openat(AT_FDCWD, "${hex('/d/f')}", O_RDWR|O_CREAT, 0600) = ${file}`,
    `7 100.6 fdatasync(${file} <unfinished ...>`,
    `8 100.7 pwrite64(${file}, "${hex('late')}", 4, 8) = 4`,
    `8 100.7 pwrite64(${file}, "${hex('never')}", 5, 8) = -1 ENOSPC (No space left on device)`,
    '7 100.8 <... fdatasync resumed>) = 0',
    `7 100.9 fsync(21<${hex('/')}>) = 0`,
    `7 100.9 fsync(22<${hex('/elsewhere')}>) = 0`,
  ];
  expect(parseRecord(lines.join('\n'), '/d', { process: 0, before: 10 })).toEqual([
    {
      ...{ kind: 'open', path: '/d/f', fd: 20, at: 100_500, process: 0 },
      ...{ isCreating: true, isTruncating: false, isAppending: false },
    },
    { kind: 'write', path: '/d/f', fd: 20, bytes: Buffer.from('late'), offset: 8, at: 100_700, process: 0 },
    // Asked for when one event was complete: the write came too late for it.
    { kind: 'sync', path: '/d/f', begun: 11, at: 100_800, process: 0 },
    { kind: 'sync', path: '/', begun: 13, at: 100_900, process: 0 },
  ]);
});

function made(path: string): Step {
  return { kind: 'open', path, fd: 3, isCreating: true, isTruncating: false, isAppending: false };
}

function folder(path: string): Step {
  return { kind: 'mkdir', path };
}

function write(path: string, offset: number, text: string): Step {
  return { kind: 'write', path, fd: 3, offset, bytes: Buffer.from(text) };
}

function sync(path: string, begun: number): Step {
  return { kind: 'sync', path, begun };
}

/** All that was found on the disk in many tries, each once. */
function outcomes(steps: Step[]): string[] {
  const found = new Set<string>();
  for (let seed = 0; seed < 100; seed += 1) {
    const model = createDiskModel('/d');
    for (const step of steps) model.apply({ ...step, at: 0, process: 0 });
    const said = [...model.cut(createRandom(seed))].map(
      ([path, bytes]) => `${path.slice('/d/'.length)}=${bytes}`,
    );
    found.add(said.sort().join(' '));
  }
  return [...found].sort();
}
