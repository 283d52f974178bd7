import { join } from 'node:path';
import { getLastRun } from '../../../core/database/recorded-runs.ts';
import { findCurrentBuild } from '../../../core/http/current-build.ts';
import { describeFailure, describeStoredFailure } from '../../../core/outbox/failures.ts';
import { type ReceiverState, readReceivers } from '../../../features/messages/read-receivers.ts';
import type { SentTest } from '../../../features/messages/receivers/send-test-message.ts';
import { getReceiverLabel } from '../../../features.ts';
import { formatSize } from '../../../lib/format-size.ts';
import { formatMoment, type Moment } from '../../../lib/format-time.ts';
import { findBuildTime } from '../../build/read-launch-facts.ts';
import { listBackups, maxBackups } from '../../server/backup-folder.ts';
import { describeSystem } from '../../server/describe-system.ts';
import type { CheckReport } from '../../server/launch/run-checks.ts';
import type { Services } from '../../server/wire.ts';
import { countOpen, type Deps, readLaunchChecks } from './launch-checks.ts';

export async function readHealth(deps: Deps, test: SentTest | undefined) {
  const { services } = deps;
  const { domainDeps, clock } = services;
  const { reports } = await readLaunchChecks(deps);
  const receivers = await readReceivers(domainDeps, listReceiverNames(services));
  return {
    receivers: receivers.map(receiver => describeReceiver(services, receiver)),
    test: test ? describeTest(test, clock.now()) : null,
    backups: await readBackups(services, reports),
    system: await readSystem(deps),
    launch: countOpen(reports),
  };
}

export function listReceiverNames({ core }: Services): string[] {
  return core.listReceivers().map(({ name }) => name);
}

function describeReceiver(
  { clock, core, domainDeps }: Services,
  { name, waiting, failed, oldest, ...receiver }: ReceiverState,
) {
  const moment = (at: string | undefined) => (at ? formatMoment(at, clock.now()) : null);
  const found = core.listReceivers().find(one => one.name === name);
  const problem = findProblem(receiver, clock.now());
  return {
    name,
    waiting,
    failed,
    destination: found?.destination ?? '',
    label: getReceiverLabel(name),
    // Mail to subscribers that failed is not sent again from here: an issue has a page of its own.
    canRetry:
      problem?.kind === 'paused' || (domainDeps.receivers.some(one => one === name) && waiting + failed > 0),
    waitingSince: moment(oldest),
    lastDelivered: moment(receiver.lastDelivered),
    lastFailure: receiver.lastFailed
      ? {
          at: formatMoment(receiver.lastFailed.at, clock.now()),
          reason: describeStoredFailure(receiver.lastFailed.reason),
        }
      : null,
    problem,
  };
}

/** `refusing`: it took nothing since it refused deliveries. */
type ReceiverProblem = { since: Moment; reason: string } & (
  | { kind: 'paused' }
  | { kind: 'refusing'; count: number }
);

function findProblem(
  { paused, refused }: Pick<ReceiverState, 'paused' | 'refused'>,
  now: Date,
): ReceiverProblem | null {
  if (paused)
    return {
      kind: 'paused',
      since: formatMoment(paused.paused_at, now),
      reason: describeFailure(paused.failure),
    };
  return refused
    ? {
        kind: 'refusing',
        since: formatMoment(refused.since, now),
        count: refused.count,
        reason: describeStoredFailure(refused.reason),
      }
    : null;
}

function describeTest({ sentAt, reference, tested }: SentTest, now: Date) {
  return {
    sent: formatMoment(sentAt, now),
    reference,
    results: tested.map(({ receiver, result, reason, ms }) => ({
      label: getReceiverLabel(receiver),
      isTaken: result !== 'failed',
      text: result === 'failed' ? reason : `${taken[result]} after ${(ms / 1000).toFixed(1)} seconds`,
    })),
  };
}

const taken = { 'read back': 'Arrived, and read back', accepted: 'Taken' };

async function readBackups({ domainDeps, config, clock }: Services, reports: CheckReport[]) {
  const last = await getLastRun(domainDeps, 'backup');
  const files = await listBackups(config);
  return {
    last: last ? formatMoment(last, clock.now()) : null,
    isOld: reports.some(({ name, state }) => name === 'Backups' && state === 'failed'),
    files: files.map(({ name, bytes, createdAt }) => ({
      name,
      path: `/health/backups/${name}`,
      size: formatSize(bytes),
      at: formatMoment(createdAt, clock.now()),
    })),
    folder: join(config.dataDir, 'backups'),
    max: maxBackups,
  };
}

type SystemLine = { term: string; text: string; problem?: string };

async function readSystem({ services, root }: Deps): Promise<SystemLine[]> {
  const { version, node, database, disk, clockSkew } = await describeSystem(services);
  const build = findCurrentBuild(join(root, 'dist'));
  const published = findBuildTime(build);
  const now = services.clock.now();
  const withProblem = (problem: string | undefined) => (problem ? { problem } : {});
  return [
    {
      term: 'Disk',
      text: `${formatSize(disk.freeBytes)} of ${formatSize(disk.totalBytes)} free`,
      ...withProblem(disk.warning),
    },
    {
      term: 'Database',
      text: `${database.kind}, ${formatSize(database.bytes)}, ${database.location}`,
      ...withProblem(database.warnings.join('; ')),
    },
    { term: 'Data folder', text: disk.folder },
    {
      term: 'Published',
      text: published ? formatMoment(published.toISOString(), now).text : 'Not published yet',
    },
    { term: 'Program', text: `Version ${version}, Node ${node.slice(1)}` },
    { term: 'Clock', text: formatMoment(now.toISOString(), now).text, ...withProblem(clockSkew) },
  ];
}
