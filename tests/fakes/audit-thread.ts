import { setTimeout } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { serveAudits } from '../../src/server/serve-audits.ts';
import { fakeReport } from './audit-runner.ts';

if (!parentPort) throw new Error('a fake of a worker thread');

/** Does to its thread what a domain is named after. */
serveAudits(parentPort, async function* ({ domain }, onUnexpectedError) {
  yield { type: 'started', checks: [] };
  if (domain === 'crash') setImmediate(() => Promise.reject(new Error('crashed')));
  if (domain === 'hang') for (;;);
  if (domain === 'wait' || domain === 'crash') await new Promise(() => undefined);
  if (domain === 'late') await setTimeout(50);
  if (domain === 'after') await setTimeout(150);
  if (domain === 'throw') throw new Error('thrown');
  if (domain === 'bug') onUnexpectedError('https', new Error('a bug'));
  yield { type: 'report', report: fakeReport(domain, new Date(0)), hasConnected: true };
});
