import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { serveAudit } from '../../src/features/audit/requests/serve-audit.ts';
import { fakeReport } from './audit-runner.ts';

const oomScore = '/proc/self/oom_score_adj';

/** Does to its process what a domain is named after. */
serveAudit(async function* ({ domain }, onUnexpectedError) {
  const report = fakeReport(domain, new Date(0));
  const checks = report.results.map(({ check, group }) => ({ check, group }));
  yield { type: 'started', checks };
  const [result] = report.results;
  if (result) yield { type: 'result', result };
  // What was found by then is sent.
  if (['crash', 'computes', 'grows', 'waits', 'fills its heap'].includes(domain)) await wait(150);
  if (domain === 'crash') setImmediate(() => Promise.reject(new Error('crashed')));
  if (domain === 'computes') for (;;);
  if (domain === 'grows') await grow();
  if (domain === 'fills its heap') fill();
  if (domain === 'waits' || domain === 'crash') await new Promise(() => undefined);
  if (domain === 'throw') throw new Error('thrown');
  if (domain === 'signals') for (const signal of ['SIGINT', 'SIGTERM']) process.kill(process.pid, signal);
  if (domain === 'signals') await wait(50);
  if (domain === 'bug') onUnexpectedError('https', new Error('a bug'));
  const secrets = Object.keys(process.env).filter(name => name === 'PATH');
  const values = {
    ...{
      pid: String(process.pid),
      parent: String(process.ppid),
      priority: String(getPriority()),
      secrets: secrets.join(),
    },
    ...(existsSync(oomScore) && { oomScore: readFileSync(oomScore, 'utf8').trim() }),
  };
  for (const one of report.results) one.values = values;
  yield { type: 'report', report, hasConnected: true };
});

/** Outside of the heap, whose limit does not hold there. */
async function grow(): Promise<void> {
  const buffers: Buffer[] = [];
  for (let count = 0; count < 200; count += 1) {
    buffers.push(Buffer.alloc(4 * 1024 * 1024, 1));
    await wait(10);
  }
  throw new Error(`${buffers.length} buffers fit`);
}

function fill(): void {
  const lists: number[][] = [];
  for (;;) lists.push(new Array(1_000_000).fill(0.5));
}
