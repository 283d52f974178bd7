import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NotRun } from '../family.ts';
import type { Fixture } from '../fixture.ts';
import type { Visits } from './visitor.ts';

/** Linux tells what a process holds. */
export function readProcess(pid: number | undefined): { memoryMb: number; handles: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
    return { memoryMb: kilobytes / 1024, handles: readdirSync(`/proc/${pid}/fd`).length };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && process.platform !== 'linux')
      throw new NotRun('/proc');
    throw error;
  }
}

export type Visitor = { take(): Promise<Visits> };

/** Visits a page all the time. */
export function startVisitor(fixture: Fixture, address: string): Visitor {
  const child = fork(join(import.meta.dirname, 'visitor.ts'), [`${address}/faq`]);
  fixture.defer(() => void child.kill());
  return {
    async take() {
      child.send('take');
      const [visits] = await once(child, 'message');
      return visits as Visits;
    },
  };
}

/** The value that this share stays within; 0 of none. */
export function quantile(values: readonly number[], share: number): number {
  const inOrder = values.toSorted((one, other) => one - other);
  return inOrder[Math.min(inOrder.length - 1, Math.ceil(inOrder.length * share) - 1)] ?? 0;
}
