import { join } from 'node:path';

export function getBackupFolder(dataDir: string): string {
  return join(dataDir, 'backups');
}
