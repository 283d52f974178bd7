import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { getBackupFolder } from '../../core/database/backup-path.ts';
import { makeFolder, undefinedIfMissing } from '../../core/files.ts';
import { backup } from '../actions/backup.ts';
import type { Services } from './wire.ts';

export type BackupFile = { name: string; path: string; bytes: number; createdAt: string };

/** More would fill the disk, and keep what was erased. */
export const maxBackups = 10;

const backupName = /^site-\d{4}-\d{2}-\d{2}-\d{6}\.sqlite$/;
const draftName = /^site-[\d-]+\.sqlite\.part/;
const draftMs = 60 * 60_000;

/** Into backups/ of the data folder, named by the time. The oldest are deleted once the new one is complete. */
export async function writeDatedBackup(
  services: Pick<Services, 'domainDeps' | 'database' | 'config' | 'clock'>,
) {
  const folder = getBackupFolder(services.config.dataDir);
  const time = services.clock.now().toISOString();
  const name = `site-${time.slice(0, 10)}-${time.slice(11, 19).replaceAll(':', '')}.sqlite`;
  await makeFolder(folder);
  await backup.run(services, { file: join(folder, name), force: false });
  for (const { path } of (await listBackups(services.config)).slice(maxBackups))
    await rm(path, { force: true });
  await deleteDrafts(folder, services.clock.now().getTime() - draftMs);
}

/** The newest first. */
export async function listBackups({ dataDir }: { dataDir: string }): Promise<BackupFile[]> {
  const folder = getBackupFolder(dataDir);
  const names = (await readdir(folder).catch(undefinedIfMissing)) ?? [];
  const files = names
    .filter(name => backupName.test(name))
    .map(async name => {
      const path = join(folder, name);
      const found = await stat(path).catch(undefinedIfMissing);
      return found ? [{ name, path, bytes: found.size, createdAt: readTime(name) }] : [];
    });
  return (await Promise.all(files)).flat().sort((a, b) => (a.name < b.name ? 1 : -1));
}

export async function findBackup(config: { dataDir: string }, name: string): Promise<BackupFile | undefined> {
  return (await listBackups(config)).find(file => file.name === name);
}

function readTime(name: string): string {
  const [, day, hour, minute, second] = /^site-([\d-]{10})-(\d\d)(\d\d)(\d\d)/.exec(name) ?? [];
  return `${day}T${hour}:${minute}:${second}.000Z`;
}

/** Those of a process that was killed. */
async function deleteDrafts(folder: string, before: number): Promise<void> {
  for (const name of (await readdir(folder)).filter(one => draftName.test(one))) {
    const found = await stat(join(folder, name)).catch(undefinedIfMissing);
    if (found && found.mtimeMs < before) await rm(join(folder, name), { force: true });
  }
}
