import { statSync } from 'node:fs';
import { getLastRun } from '../../../../core/database/recorded-runs.ts';
import {
  afterFirstStart,
  failed,
  notChecked,
  ready,
  required,
  serverOnly,
  withSite,
} from '../../../../core/launch/check.ts';
import { places } from '../../../../core/launch/places.ts';
import type { CheckContext, OpenSite } from '../context.ts';

const oldBackupDays = 7;

export const dataChecks = serverOnly<CheckContext>(
  required(
    'Database',
    'Messages cannot be received without it; visitors are asked to try again.',
    places.system,
    ({ site }) => {
      if ('domainDeps' in site) return ready(site.database.location);
      return site.isBroken ? failed(site.reason) : notChecked(site.reason, 'npm start creates it');
    },
  ),
  required(
    'Durability',
    'A power cut may lose messages that were acknowledged to visitors.',
    places.system,
    withSite<OpenSite, CheckContext>(({ database: { durabilityWarnings } }) =>
      durabilityWarnings.length === 0
        ? ready('commits are synced to disk')
        : failed(durabilityWarnings.join('; ')),
    ),
  ),
  required(
    'Data folder',
    'It contains personal data, which other users of the machine must not read.',
    places.setting('DATA_DIR'),
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
    places.setting('MIN_FREE_DISK_MB'),
    withSite<OpenSite, CheckContext>(async ({ checkDiskSpace }, { config: { minFreeDiskMb } }) => {
      const low = await checkDiskSpace();
      if (low) return failed(low, 'free some space, and waiting copies are written');
      return ready(minFreeDiskMb === 0 ? 'no minimum is set' : `at least ${minFreeDiskMb} MB free`);
    }),
  ),
  required(
    'Clock',
    'While the clock of the server is wrong, messages are stored but not delivered.',
    places.system,
    withSite<OpenSite, CheckContext>(async ({ clockGuard }) => {
      const skew = await clockGuard.describeClockSkew();
      return skew ? failed(skew, 'see docs/engineer/operations.md, "Clock"') : ready('no clock skew found');
    }),
  ),
  required(
    'Backups',
    'Without a backup, a disk failure loses all messages.',
    { text: 'Backups', path: '/health#backups' },
    afterFirstStart<OpenSite, CheckContext>('npm run backup -- FILE', async ({ domainDeps }, { now }) => {
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
);
