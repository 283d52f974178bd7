import type { Clock } from '../clock.ts';
import type { RowCounts } from './copy-tables.ts';
import type { Store } from './open-store.ts';
import type { Schedule } from './schedule.ts';

type BackupDeps = {
  backUp: Store['backUp'];
  schedule: Pick<Schedule, 'recordRun'>;
  clock: Clock;
};

/** `writeFile` calls its argument with an empty file. The backup is recorded once that file has its final name. */
export async function createBackup(
  { backUp, schedule, clock }: BackupDeps,
  writeFile: (fill: (path: string) => Promise<void>) => Promise<void>,
): Promise<{ createdAt: string; counts: RowCounts }> {
  const createdAt = clock.now().toISOString();
  let counts: RowCounts = {};
  await writeFile(async path => {
    counts = await backUp(path, createdAt);
  });
  await schedule.recordRun('backup', createdAt);
  return { createdAt, counts };
}
