import { statfs } from 'node:fs/promises';

export type DiskSpaceCheck = ReturnType<typeof createDiskSpaceCheck>;

const mb = 1024 * 1024;

/** 0 disables it. If the disk cannot be measured, the write itself reports what is wrong. */
export function createDiskSpaceCheck(folder: string, minFreeBytes: number, measure = freeBytes) {
  return async (): Promise<string | undefined> => {
    if (minFreeBytes === 0) return undefined;
    const free = await measure(folder).catch(() => undefined);
    if (free === undefined || free >= minFreeBytes) return undefined;
    return `${Math.floor(free / mb)} MB of disk space are free, the minimum is ${Math.round(minFreeBytes / mb)} MB`;
  };
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, frsize } = await statfs(folder);
  return bavail * frsize;
}
