import { statSync } from 'node:fs';
import { getLastRun } from '../../../../core/database/recorded-runs.ts';
import { describeFailure } from '../../../../core/outbox/failures.ts';
import { countFailedDeliveries } from '../../../../features/messages/read-inbox.ts';
import {
  type Check,
  type CheckContext,
  type CheckResult,
  failed,
  notChecked,
  ready,
  recommended,
  required,
  serverOnly,
} from '../check.ts';

const oldBackupDays = 7;
const testCommand = 'npm run inbox -- test-message';

export const dataChecks = serverOnly(
  required(
    'Database',
    'Messages cannot be received without it; visitors are asked to try again.',
    ({ site }) => {
      if ('domainDeps' in site) return ready(site.database.location);
      return site.isBroken ? failed(site.reason) : notChecked(site.reason, 'npm start creates it');
    },
  ),
  required(
    'Durability',
    'A power cut may lose messages that were acknowledged to visitors.',
    withSite(({ database: { durabilityWarnings } }) =>
      durabilityWarnings.length === 0
        ? ready('commits are synced to disk')
        : failed(durabilityWarnings.join('; ')),
    ),
  ),
  required(
    'Data folder',
    'It contains personal data, which other users of the machine must not read.',
    ({ config: { dataDir } }) => {
      const { mode } = statSync(dataDir, { throwIfNoEntry: false }) ?? {};
      if (mode === undefined) return notChecked(`${dataDir} does not exist yet`);
      if (process.platform === 'win32') return notChecked('file permissions are not checked on Windows');
      return mode & 0o077
        ? failed(`${dataDir} is readable by other users`, `run: chmod 700 ${dataDir}`)
        : ready(`${dataDir} is private to its owner`);
    },
  ),
  required(
    'Disk space',
    'Below MIN_FREE_DISK_MB no file copies are written; on a full disk messages are refused.',
    withSite(async ({ checkDiskSpace }, { config: { minFreeDiskMb } }) => {
      const low = await checkDiskSpace();
      if (low) return failed(low, 'free some space, and waiting copies are written');
      return ready(minFreeDiskMb === 0 ? 'no minimum is set' : `at least ${minFreeDiskMb} MB free`);
    }),
  ),
  required(
    'Clock',
    'While the clock of the server is wrong, messages are stored but not delivered.',
    withSite(async ({ clockGuard }) => {
      const skew = await clockGuard.describeClockSkew();
      return skew ? failed(skew, 'see docs/engineer/operations.md, "Clock"') : ready('no clock skew found');
    }),
  ),
  required(
    'Backups',
    'Without a backup, a disk failure loses all messages.',
    afterFirstStart('npm run backup -- FILE', async ({ domainDeps }, { now }) => {
      const last = await getLastRun(domainDeps, 'backup');
      if (!last) return failed('no backup was ever made', 'run: npm run backup -- FILE');
      const days = Math.floor((now.getTime() - Date.parse(last)) / 86_400_000);
      return days > oldBackupDays
        ? failed(
            `the last one is ${days} days old`,
            'let a timer take one every day (docs/engineer/backup.md)',
            'recommended',
          )
        : ready(`the last one was made on ${last.slice(0, 10)}; keep it on another machine`);
    }),
  ),
  required(
    'Test message',
    'It is the only proof that messages arrive.',
    afterFirstStart(testCommand, async ({ domainDeps }, { builtAt }) => {
      const last = await getLastRun(domainDeps, 'test-message');
      if (!last) return failed('no test was ever accepted by all receivers', `run: ${testCommand}`);
      return builtAt && new Date(last) < builtAt
        ? failed(
            `none since the site was built on ${builtAt.toISOString().slice(0, 10)}`,
            `run: ${testCommand}`,
            'recommended',
          )
        : ready(`accepted by all receivers on ${last.slice(0, 10)}`);
    }),
  ),
  required(
    'Receivers',
    'A paused receiver gets nothing until its settings are fixed.',
    withSite(async ({ domainDeps }) => {
      const paused = await domainDeps.receiverStates.listPaused();
      const names = paused
        .map(({ name, failure }) => `${name} is paused (${describeFailure(failure)})`)
        .join('; ');
      return names
        ? failed(names, 'fix its settings, then run: npm run inbox -- retry --waiting')
        : ready('none is paused');
    }),
  ),
  recommended(
    'Failed deliveries',
    'These messages are stored, but a receiver never got them.',
    withSite(async ({ domainDeps }) => {
      const count = await countFailedDeliveries(domainDeps);
      return count === 0
        ? ready('none')
        : failed(
            `${count} failed`,
            'see npm run inbox -- deliveries --failed, then run: npm run inbox -- retry --failed',
          );
    }),
  ),
);

type OpenSite = Extract<CheckContext['site'], { domainDeps: unknown }>;
type RunWithSite = (site: OpenSite, context: CheckContext) => CheckResult | Promise<CheckResult>;

function withSite(run: RunWithSite): Check['run'] {
  return context =>
    'domainDeps' in context.site ? run(context.site, context) : notChecked(context.site.reason);
}

function afterFirstStart(command: string, run: RunWithSite): Check['run'] {
  return context => {
    if ('domainDeps' in context.site || context.site.isBroken) return withSite(run)(context);
    return failed(context.site.reason, `start the site, then run: ${command}`);
  };
}
