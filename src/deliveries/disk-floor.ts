import { statfs } from 'node:fs/promises';

/** Why no file may be written now: less disk space is free than the floor. Nothing where there is enough. */
export type DiskFloor = () => Promise<string | undefined>;

const mb = 1024 * 1024;

/** A floor of 0 is none. A disk that cannot be measured is taken for one with room: the write itself says what is wrong. */
export function createDiskFloor(folder: string, floorBytes: number, measure = freeBytes): DiskFloor {
  return async () => {
    if (floorBytes === 0) return undefined;
    const free = await measure(folder).catch(() => undefined);
    if (free === undefined || free >= floorBytes) return undefined;
    return `${Math.floor(free / mb)} MB of disk space are free, the floor is ${Math.round(floorBytes / mb)} MB`;
  };
}

/** For this user: what is reserved for root is not counted. */
async function freeBytes(folder: string): Promise<number> {
  const { bavail, frsize } = await statfs(folder);
  return bavail * frsize;
}
