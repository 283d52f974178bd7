import type { Clock } from '../../lib/clock.ts';
import type { Schedule } from '../../store/schedule.ts';

/** What the owner does from time to time, and `npm run check-launch` asks for. */
type MaintenanceTask = 'backup' | 'test-message';

export function recordTestMessage(deps: {
  schedule: Pick<Schedule, 'recordRun'>;
  clock: Clock;
}): Promise<void> {
  return deps.schedule.recordRun('test-message', deps.clock.now().toISOString());
}

export function lastMaintenance(
  { schedule }: { schedule: Pick<Schedule, 'lastRun'> },
  task: MaintenanceTask,
): Promise<string | undefined> {
  return schedule.lastRun(task);
}
