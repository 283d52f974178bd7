import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadEnvironment } from '../../src/server/config.ts';
import type { Figure } from '../figures.ts';
import { writePosts } from './blog/write-posts.ts';
import { parseNumber, print } from './options.ts';

const root = resolve(import.meta.dirname, '../..');

/** What posts add to a build that has kept nothing: the same site built with none and with many, in turn. */
export async function benchBlog(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: { posts: { type: 'string', default: '500' }, runs: { type: 'string', default: '3' } },
  });
  const posts = parseNumber('posts', values.posts, 1, 5000);
  const runs = parseNumber('runs', values.runs, 1, 20);
  const taken: Record<'none' | 'many' | 'again', number[]> = { none: [], many: [], again: [] };
  for (let run = 0; run < runs; run += 1) {
    using none = copyProject(0);
    taken.none.push(await build(none.folder));
    using many = copyProject(posts);
    taken.many.push(await build(many.folder));
    taken.again.push(await build(many.folder));
    print(
      `run ${run + 1} of ${runs}: ${Object.values(taken)
        .map(of => seconds(of.at(-1)))
        .join(', ')}`,
    );
  }
  const adds = taken.many.map((of, run) => of - (taken.none[run] ?? Number.NaN));
  return [
    { name: `what ${posts} posts add to a build`, unit: 's', values: adds, goal: 'under 30' },
    { name: 'build without posts', unit: 's', values: taken.none },
    { name: `build with ${posts} posts`, unit: 's', values: taken.many },
    { name: `${posts} posts, built again`, unit: 's', values: taken.again },
  ];
}

/** A project that has never been built. */
function copyProject(posts: number): Disposable & { folder: string } {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache/bench-blog-'));
  for (const name of ['bin', 'src', 'content', 'tsconfig.json', 'package.json', 'package-lock.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writePosts(join(folder, 'content'), posts);
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

async function build(folder: string): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, ['src/cli/publish-site.ts'], {
    cwd: folder,
    env: { PATH: loadEnvironment().PATH, SITE_URL: 'https://www.example.com' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise(ended => child.once('close', ended));
  if (code !== 0 || !existsSync(join(folder, 'dist/current/site/blog.html')))
    throw new Error(`The build ended with ${code}`);
  return (performance.now() - started) / 1000;
}

function seconds(figure = 0): string {
  return `${figure.toFixed(1)} s`;
}
