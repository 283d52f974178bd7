/** What strace wrote down of one process, as events in the order in which they were completed. */
export type FileEvent = { at: number; process: number } & (
  | {
      kind: 'open';
      path: string;
      fd: number;
      isCreating: boolean;
      isTruncating: boolean;
      isAppending: boolean;
    }
  | { kind: 'write'; path: string; fd: number; bytes: Buffer; offset: number | undefined }
  | { kind: 'truncate'; path: string; size: number }
  /** `begun`: how many events were complete when it was asked for; only those are surely on the disk. */
  | { kind: 'sync'; path: string; begun: number }
  | { kind: 'rename' | 'link'; path: string; to: string }
  | { kind: 'unlink' | 'mkdir'; path: string }
);

const calls =
  'openat,write,pwrite64,writev,pwritev,ftruncate,fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir,mkdir,mkdirat';

/** Runs a program so that everything it does to files is written down, with all bytes. */
export function recorded(trace: string): string[] {
  const how = ['-D', '-f', '-qq', '-y', '-ttt', '-xx', '-s', '2000000', '--seccomp-bpf'];
  return ['strace', ...how, '-e', `trace=${calls}`, '-o', trace];
}

/** Events below `folder` alone, and the syncs of those that hold it; they follow on so many of the processes before. */
export function parseRecord(
  text: string,
  folder: string,
  { process, before }: { process: number; before: number },
): FileEvent[] {
  const events: FileEvent[] = [];
  const unfinished = new Map<string, { call: string; begun: number }>();
  for (const line of text.split('\n')) {
    const found = /^(\d+) +([\d.]+) (.*)$/s.exec(line);
    if (!found) continue;
    const [, thread = '', time, said = ''] = found;
    const at = Number(time) * 1000;
    if (said.endsWith(' <unfinished ...>')) {
      const call = said.slice(0, -' <unfinished ...>'.length);
      unfinished.set(thread, { call, begun: before + events.length });
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>/.exec(said);
    const first = resumed ? unfinished.get(thread) : undefined;
    if (resumed && !first) continue;
    const call = first ? first.call + said.slice(resumed?.[0].length) : said;
    const event = parseCall(call, folder, first?.begun ?? before + events.length);
    if (event) events.push({ ...event, at, process });
  }
  return events;
}

type Without<T> = T extends FileEvent ? Omit<T, 'at' | 'process'> : never;
type Parsed = Without<FileEvent>;

function parseCall(call: string, folder: string, begun: number): Parsed | undefined {
  const found = /^(\w+)\((.*)\) += (-?\d+)(?:<(.*?)>)?/s.exec(call);
  if (!found) return undefined;
  const [, name = '', args = '', value = '', opened = ''] = found;
  if (value.startsWith('-')) return undefined;
  const event = understand(name, args, Number(value), opened, begun);
  if (!event) return undefined;
  const isAbout = isBelow(event.path, folder) || (event.kind === 'sync' && isBelow(folder, event.path));
  return isAbout ? event : undefined;
}

function understand(
  name: string,
  args: string,
  value: number,
  opened: string,
  begun: number,
): Parsed | undefined {
  const [fd, path] = fileOf(args);
  switch (name) {
    case 'openat':
      return {
        ...{ kind: 'open', path: plain(opened), fd: value },
        isCreating: args.includes('O_CREAT'),
        isTruncating: args.includes('O_TRUNC'),
        isAppending: args.includes('O_APPEND'),
      };
    case 'write':
    case 'writev':
      return { kind: 'write', path, fd, bytes: bytesOf(args).subarray(0, value), offset: undefined };
    case 'pwrite64':
    case 'pwritev': {
      const offset = Number(/, (\d+)$/.exec(args)?.[1]);
      return { kind: 'write', path, fd, bytes: bytesOf(args).subarray(0, value), offset };
    }
    case 'ftruncate':
      return { kind: 'truncate', path, size: Number(/, (\d+)$/.exec(args)?.[1]) };
    case 'fsync':
    case 'fdatasync':
      return { kind: 'sync', path, begun };
    default: {
      const [one = '', other = ''] = namesOf(args);
      if (name.startsWith('rename')) return { kind: 'rename', path: one, to: other };
      if (name.startsWith('link')) return { kind: 'link', path: one, to: other };
      return { kind: name.startsWith('mkdir') ? 'mkdir' : 'unlink', path: one };
    }
  }
}

/** The descriptor and the path behind it, which -xx writes in hexadecimal, too. */
function fileOf(args: string): [number, string] {
  const found = /^(\d+)<(.*?)>/s.exec(args);
  return found ? [Number(found[1]), plain(found[2] ?? '')] : [-1, ''];
}

function namesOf(args: string): string[] {
  return [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => plain(hex));
}

/** One text, or one of each part. */
function bytesOf(args: string): Buffer {
  return Buffer.concat(
    [...args.matchAll(/"([^"]*)"/g)].map(([, hex = '']) => Buffer.from(hex.replaceAll('\\x', ''), 'hex')),
  );
}

function plain(text: string): string {
  return text.startsWith('\\x') ? Buffer.from(text.replaceAll('\\x', ''), 'hex').toString() : text;
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
