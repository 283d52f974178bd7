import type { Clock } from '../clock.ts';
import type { Schedule } from './schedule.ts';

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

/** The worker records that it runs: it may be another process, on another machine. */
export const workerHeartbeatMs = 20_000;
const heartbeat = 'worker';

export function recordHeartbeat({ schedule, clock }: RecordDeps): Promise<void> {
  return schedule.recordRun(heartbeat, clock.now().toISOString());
}

export async function isWorkerRunning({
  schedule,
  clock,
}: {
  schedule: Pick<Schedule, 'lastRun'>;
  clock: Clock;
}): Promise<boolean> {
  const last = await schedule.lastRun(heartbeat);
  return last !== undefined && clock.now().getTime() - Date.parse(last) < 3 * workerHeartbeatMs;
}
