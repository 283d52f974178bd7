import { dirname } from 'node:path';
import type { Random } from '../seeds.ts';
import type { FileEvent } from './record.ts';

type Change = { offset: number; bytes: Buffer } | { size: number };
type Bytes = { room: Buffer; length: number };
type Kept = { event: number; change: Change };
/** `content` is surely on the disk; whether `later` changes are, is unknown. */
type ModelFile = { content: Bytes; later: Kept[]; size: number; isFolder: boolean };
type Named = { event: number; path: string; file: ModelFile | undefined };

export type DiskModel = {
  apply(event: FileEvent): void;
  /** The files by their paths, as they might be found after a power cut at this moment. */
  cut(random: Random): Map<string, Buffer>;
};

/** A disk that holds what was synced, and of later writes any subset, one of them torn. `root` exists from the beginning. */
export function createDiskModel(root: string): DiskModel {
  /** As the process sees it. */
  const live = new Map<string, ModelFile>();
  /** As it is on the disk, and what was done to the folder since it was last synced. */
  const durable = new Map<string, ModelFile>();
  let laterNames: Named[] = [];
  const handles = new Map<string, { offset: number; isAppending: boolean }>();
  let count = 0;

  function name(path: string, file: ModelFile | undefined): void {
    if (file) live.set(path, file);
    else live.delete(path);
    laterNames.push({ event: count, path, file });
  }

  function note(file: ModelFile | undefined, change: Change): void {
    if (!file) return;
    file.later.push({ event: count, change });
    file.size = 'size' in change ? change.size : Math.max(file.size, change.offset + change.bytes.length);
  }

  function sync(path: string, begun: number): void {
    const file = live.get(path);
    if (file) {
      const isDone = ({ event }: Kept) => event < begun;
      for (const { change } of file.later.filter(isDone)) alter(file.content, change);
      file.later = file.later.filter(kept => !isDone(kept));
    }
    // Where a folder is synced, its names are on the disk.
    const isHere = (named: Named) => dirname(named.path) === path && named.event < begun;
    for (const named of laterNames.filter(isHere)) keepName(durable, named);
    laterNames = laterNames.filter(named => !isHere(named));
  }

  function apply(event: FileEvent): void {
    const { path } = event;
    if (event.kind === 'open') {
      if (event.isCreating && !live.has(path)) name(path, newFile(false));
      if (event.isTruncating) note(live.get(path), { size: 0 });
      handles.set(`${event.process} ${event.fd}`, { offset: 0, isAppending: event.isAppending });
    } else if (event.kind === 'write') {
      const file = live.get(path);
      const handle = handles.get(`${event.process} ${event.fd}`);
      const offset = event.offset ?? (handle?.isAppending ? file?.size : handle?.offset) ?? 0;
      if (event.offset === undefined && handle) handle.offset = offset + event.bytes.length;
      note(file, { offset, bytes: event.bytes });
    } else if (event.kind === 'truncate') note(live.get(path), { size: event.size });
    else if (event.kind === 'sync') sync(path, event.begun);
    else if (event.kind === 'unlink') name(path, undefined);
    else if (event.kind === 'mkdir') name(path, newFile(true));
    else if ('to' in event) {
      name(event.to, live.get(path));
      if (event.kind === 'rename') name(path, undefined);
    }
  }

  return {
    apply(event) {
      apply(event);
      count += 1;
    },
    cut(random) {
      const names = new Map(durable);
      // A journal keeps these in their order.
      for (const named of laterNames.slice(0, random.between(0, laterNames.length))) keepName(names, named);
      // A file is where its folder is.
      const isReached = (path: string): boolean =>
        dirname(path) === root || (names.has(dirname(path)) && isReached(dirname(path)));
      const found = [...names].filter(([path, { isFolder }]) => !isFolder && isReached(path));
      return new Map(found.map(([path, file]) => [path, guess(file, random)]));
    },
  };
}

function newFile(isFolder: boolean): ModelFile {
  return { content: { room: Buffer.alloc(0), length: 0 }, later: [], size: 0, isFolder };
}

function keepName(names: Map<string, ModelFile>, { path, file }: Named): void {
  if (file) names.set(path, file);
  else names.delete(path);
}

const sector = 512;

/** What was synced, and any of the later writes; now and then only the beginning of one. */
function guess({ content, later }: ModelFile, random: Random): Buffer {
  const bytes: Bytes = { room: Buffer.from(content.room), length: content.length };
  const share = random.pick([0, 0.5, 0.9, 1]);
  for (const { change } of later) {
    if (!random.chance(share)) continue;
    const isTorn = 'bytes' in change && change.bytes.length > sector && random.chance(0.1);
    if (!isTorn) alter(bytes, change);
    else {
      const length = sector * random.between(1, Math.floor(change.bytes.length / sector));
      alter(bytes, { ...change, bytes: change.bytes.subarray(0, length) });
    }
  }
  return bytes.room.subarray(0, bytes.length);
}

function alter(bytes: Bytes, change: Change): void {
  const length = 'size' in change ? change.size : Math.max(bytes.length, change.offset + change.bytes.length);
  if (length > bytes.room.length) bytes.room = Buffer.concat([bytes.room], length * 2);
  // What was cut off must not come back when the file grows again.
  if (length < bytes.length) bytes.room.fill(0, length, bytes.length);
  bytes.length = length;
  if ('bytes' in change) change.bytes.copy(bytes.room, change.offset);
}
