import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collectLog } from '../../../tests/harness/site.ts';
import { writeSmallBuild } from '../../../tests/harness/small-build.ts';
import { createTempFolder } from '../../../tests/harness/temp-folder.ts';
import { postsFile, watchDuePosts } from '../../features/blog/due-posts.ts';
import { followCurrentBuild } from './current-build.ts';
import { fileTable } from './static-files.ts';

let dist: string;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  dist = createTempFolder();
  writeSmallBuild(join(dist, 'builds/good'));
  link('good');
});
afterEach(() => vi.useRealTimers());

function link(name: string): void {
  rmSync(join(dist, 'current'), { force: true });
  symlinkSync(join('builds', name), join(dist, 'current'));
}

test('a build that cannot be read leaves the previous one in place, and is reported once', () => {
  const { log, lines } = collectLog();
  using files = followCurrentBuild({ dist, settings: {}, log });
  const home = files.get('/');
  expect(home).toBeDefined();
  mkdirSync(join(dist, 'builds/damaged'));
  writeFileSync(join(dist, 'builds/damaged', fileTable), '[]');
  link('damaged');
  vi.advanceTimersByTime(10_000);
  expect(files.get('/')).toBe(home);
  expect(lines).toEqual([expect.stringContaining('"event":"new build not loaded"')]);
  link('good');
  vi.advanceTimersByTime(2000);
  expect(lines[1]).toContain('"event":"new build loaded"');
});

test('scheduled posts are published once by one process; a failure is reported and not retried', async () => {
  const { log, lines } = collectLog();
  mkdirSync(join(dist, 'builds/waiting'));
  writeFileSync(join(dist, 'builds/waiting', fileTable), '[]');
  const waiting = [{ file: 'blog/2026-12-02-later.md', date: '2026-12-02' }];
  writeFileSync(join(dist, 'builds/waiting', postsFile), JSON.stringify({ shown: [], waiting }));
  link('waiting');
  let now = new Date('2026-12-01T23:59:00Z');
  const publish = vi.fn(async () => ({ failure: 'cannot write to dist' }) as const);
  const busy = vi.fn(async () => 'busy' as const);
  using _one = watchDuePosts({ dist, clock: { now: () => now }, log, publish });
  using _other = watchDuePosts({ dist, clock: { now: () => now }, log, publish: busy });
  expect(publish).not.toHaveBeenCalled();
  now = new Date('2026-12-02T00:00:00Z');
  for (let minute = 0; minute < 5; minute++) await vi.advanceTimersByTimeAsync(60_000);
  expect(publish).toHaveBeenCalledTimes(1);
  expect(busy).toHaveBeenCalledTimes(5);
  expect(lines).toEqual([expect.stringMatching(/"scheduled posts not published".*cannot write to dist/)]);
});
