import { execFile, spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Change } from './change.ts';

const run = promisify(execFile);
const trailer = 'Saved-By: desk';
const noBlob = /^0+$/;
const textFile = /\.(md|yaml|svg)$/;
/** Stands for what is no text. */
const unread = Buffer.from([0]);

/** Changes as commits of the repository that content/ is in. */
export function createGitChanges(folder: string) {
  const settings = ['--literal-pathspecs', '-c', 'commit.gpgsign=false', '-c', 'core.quotePath=false'];
  const git = (...args: string[]) =>
    run('git', ['-C', folder, ...settings, ...args], { timeout: 20_000, maxBuffer: 1 << 26 });

  /** These files alone: what the owner has staged stays staged. */
  const commitFiles = (names: string[], ...paragraphs: string[]) => {
    const message = paragraphs.flatMap(text => ['-m', text]);
    return git('commit', '--only', '--no-verify', '--quiet', ...message, '--', ...names);
  };

  /** False where git is missing or refuses. */
  async function commit({ summary, files }: Change): Promise<boolean> {
    const created = files.filter(({ before, after }) => before === null && after !== null);
    const names = files.map(({ file }) => file);
    const add = created.length > 0 && git('add', '--intent-to-add', '--', ...created.map(({ file }) => file));
    try {
      await add;
      await commitFiles(names, summary, trailer);
      return true;
    } catch {
      if (add) await git('reset', '--quiet', '--', ...created.map(({ file }) => file)).catch(() => undefined);
      return false;
    }
  }

  /** What was edited outside the desk is a commit of its own, so that undoing a save leaves it. */
  async function commitOutsideEdits({ files }: Change): Promise<void> {
    for (const { file, before } of files)
      if (before !== null) await commitFiles([file], `Edit content/${file}`).catch(() => undefined);
  }

  async function read(selection: string[], isRead: (file: string) => boolean): Promise<Change[]> {
    const format = `--format=%x01%H%x02%aI%x02%s%x02`;
    const raw = ['--raw', '-z', '--no-abbrev', '--no-renames', '--relative', '--no-merges'];
    const filter = ['--fixed-strings', `--grep=${trailer}`];
    const log = await git('log', format, ...raw, ...filter, ...selection).catch(() => undefined);
    const commits = log?.stdout.split('\x01').slice(1).map(parseCommit) ?? [];
    const wanted = commits.flatMap(({ files }) => files.filter(({ file }) => isRead(file)));
    const blobs = await readBlobs(wanted.flatMap(({ ids }) => ids));
    const find = (id: string) => blobs.get(id) ?? (noBlob.test(id) ? null : unread);
    return commits.map(({ files, ...change }) => ({
      ...change,
      files: files.map(({ file, ids: [before, after] }) => ({
        file,
        before: find(before),
        after: find(after),
      })),
    }));
  }

  async function readBlobs(ids: string[]): Promise<Map<string, Buffer>> {
    const wanted = [...new Set(ids)].filter(id => !noBlob.test(id));
    const blobs = new Map<string, Buffer>();
    if (wanted.length === 0) return blobs;
    const child = spawn('git', ['-C', folder, 'cat-file', '--batch'], { stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.end(`${wanted.join('\n')}\n`);
    const output = await buffer(child.stdout);
    for (let at = 0; at < output.length; ) {
      const lineEnd = output.indexOf('\n', at);
      const [id = '', kind, size] = output.toString('latin1', at, lineEnd).split(' ');
      const end = lineEnd + 1 + (kind === 'blob' ? Number(size) : -1);
      if (kind === 'blob') blobs.set(id, output.subarray(lineEnd + 1, end));
      at = end + 1;
    }
    return blobs;
  }

  return {
    commit,
    commitOutsideEdits,
    isRepository: () =>
      git('rev-parse', '--is-inside-work-tree').then(
        ({ stdout }) => stdout.trim() === 'true',
        () => false,
      ),
    /** Without the bytes of pictures and fonts. */
    list: (count: number) => read(['-n', String(count), '--', '.'], file => textFile.test(file)),
    get: async (id: string) =>
      /^[0-9a-f]{40,64}$/.test(id) ? (await read(['-n', '1', id, '--', '.'], () => true))[0] : undefined,
  };
}

function parseCommit(text: string) {
  const [id = '', date = '', summary = '', raw = ''] = text.split('\x02');
  const at = new Date(date).toISOString();
  const entries = raw.replace(/^[\0\n]+/, '').split('\0');
  const files: { file: string; ids: [before: string, after: string] }[] = [];
  for (let index = 0; index + 1 < entries.length; index += 2) {
    const [, , before = '', after = ''] = (entries[index] ?? '').split(' ');
    files.push({ file: entries[index + 1] ?? '', ids: [before, after] });
  }
  return { id, at, summary, files };
}
