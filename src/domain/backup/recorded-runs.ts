import type { Clock } from '../../lib/clock.ts';
import type { Schedule } from '../../store/schedule.ts';

type RecordDeps = { schedule: Pick<Schedule, 'recordRun'>; clock: Clock };

export function recordTestMessage({ schedule, clock }: RecordDeps): Promise<void> {
  return schedule.recordRun('test-message', clock.now().toISOString());
}

export function getLastRun(
  { schedule }: { schedule: Pick<Schedule, 'lastRun'> },
  task: 'backup' | 'test-message',
): Promise<string | undefined> {
  return schedule.lastRun(task);
}
