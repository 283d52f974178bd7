import { statSync } from 'node:fs';
import {
  type Check,
  type CheckResult,
  type Facts,
  missing,
  must,
  notChecked,
  ready,
  serverOnly,
  should,
} from '../check.ts';

const oldBackupDays = 7;
const testCommand = 'npm run inbox -- test-message';

export const dataChecks = serverOnly(
  must(
    'Database',
    'A message that cannot be stored is lost to you; its sender is told to try again.',
    ({ site }) => {
      if ('store' in site) return ready(site.store.place);
      return site.isBroken ? missing(site.why) : notChecked(`${site.why}: npm start makes it`);
    },
  ),
  must(
    'Durability',
    'A power cut may lose messages that visitors were told are stored.',
    withStore(({ doubts }) =>
      doubts.length === 0 ? ready('the database waits for its disk') : missing(doubts.join('; ')),
    ),
  ),
  must(
    'Data folder',
    'It holds what visitors wrote; other users of the machine must not read it.',
    ({ config: { dataDir } }) => {
      const { mode } = statSync(dataDir, { throwIfNoEntry: false }) ?? {};
      if (mode === undefined) return notChecked(`${dataDir} is not there yet`);
      if (process.platform === 'win32') return notChecked('Windows keeps its rights elsewhere');
      return mode & 0o077
        ? missing(`others may look into ${dataDir}; run: chmod 700 ${dataDir}`)
        : ready(`${dataDir} is for its owner alone`);
    },
  ),
  must(
    'Disk space',
    'Below MIN_FREE_DISK_MB no copies are written as files; on a full disk messages are refused.',
    async ({ site, config: { minFreeDiskMb } }) => {
      if (!('store' in site)) return notChecked(site.why);
      const low = await site.lowSpace();
      if (low) return missing(`${low}; make space, and what waits is written by itself`);
      return ready(minFreeDiskMb === 0 ? 'no floor is set' : `at least ${minFreeDiskMb} MB are free`);
    },
  ),
  must(
    'Clock',
    'While the clock of the server is wrong, messages are stored and nothing is delivered.',
    async ({ site }) => {
      if (!('store' in site)) return notChecked(site.why);
      const skew = await site.clockGuard.findSkew();
      return skew
        ? missing(`${skew}; see docs/engineer/operations.md, "Clock"`)
        : ready('no message is newer');
    },
  ),
  must(
    'Backups',
    'What is on one disk alone is gone with that disk.',
    afterFirstStart('npm run backup -- FILE', async ({ schedule }, { now }) => {
      const last = await schedule.lastTurn('backup');
      if (!last) return missing('none was ever taken; run: npm run backup -- FILE');
      const days = Math.floor((now.getTime() - Date.parse(last)) / 86_400_000);
      return days > oldBackupDays
        ? missing(
            `the last one is ${days} days old; let a timer take one every day (docs/engineer/backup.md)`,
            'should',
          )
        : ready(`the last one was taken on ${last.slice(0, 10)}; keep it on another machine`);
    }),
  ),
  must(
    'Test message',
    'Only a message that arrived shows that messages arrive.',
    afterFirstStart(testCommand, async ({ schedule }, { builtAt }) => {
      const last = await schedule.lastTurn('test-message');
      if (!last) return missing(`none ever arrived everywhere; run: ${testCommand}`);
      return builtAt && new Date(last) < builtAt
        ? missing(
            `none since the site was built on ${builtAt.toISOString().slice(0, 10)}; run: ${testCommand}`,
            'should',
          )
        : ready(`one was accepted everywhere on ${last.slice(0, 10)}`);
    }),
  ),
  must(
    'Receivers',
    'A paused receiver takes nothing until its settings are mended; a failing one refuses what it gets.',
    withStore(async ({ receivers }) => {
      const paused = await receivers.listPaused();
      const names = paused.map(({ name, paused_why }) => `${name} is paused (${paused_why})`).join('; ');
      if (names) return missing(`${names}; mend its settings, then run: npm run inbox -- retry --waiting`);
      const failing = await receivers.listFailing();
      const refusing = failing
        .map(({ name, failing_why }) => `${name} is failing (${failing_why})`)
        .join('; ');
      return refusing
        ? missing(`${refusing}; look at: npm run inbox -- deliveries --waiting`, 'should')
        : ready('none is paused or failing');
    }),
  ),
  should(
    'Deliveries given up',
    'These messages are stored, and somebody was never told of them.',
    withStore(async ({ outbox }) => {
      const dead = await outbox.count({ states: ['dead'] });
      return dead === 0
        ? ready('none')
        : missing(
            `${dead} of them; look at npm run inbox -- deliveries --dead, then: npm run inbox -- retry --dead`,
          );
    }),
  ),
);

type Store = Extract<Facts['site'], { store: unknown }>['store'];

function withStore(run: (store: Store, facts: Facts) => CheckResult | Promise<CheckResult>): Check['run'] {
  return facts => ('store' in facts.site ? run(facts.site.store, facts) : notChecked(facts.site.why));
}

function afterFirstStart(command: string, run: Parameters<typeof withStore>[0]): Check['run'] {
  return facts => {
    if ('store' in facts.site || facts.site.isBroken) return withStore(run)(facts);
    return missing(`${facts.site.why}; start the site, then run: ${command}`);
  };
}
