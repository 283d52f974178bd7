import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Services } from './wire.ts';

const packageFile = resolve(import.meta.dirname, '../../../package.json');

/** The machine and the program, in numbers. */
export async function describeSystem({ config, database, clockGuard, checkDiskSpace }: Services) {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8'));
  const disk = await statfs(config.dataDir);
  return {
    version: String(version),
    node: process.version,
    database: {
      kind: database.isPostgres ? 'PostgreSQL' : 'SQLite',
      location: database.location,
      bytes: await database.measureSize(),
      warnings: database.durabilityWarnings,
    },
    disk: {
      folder: config.dataDir,
      freeBytes: disk.bavail * disk.frsize,
      totalBytes: disk.blocks * disk.frsize,
      warning: await checkDiskSpace(),
    },
    clockSkew: await clockGuard.describeClockSkew(),
  };
}
