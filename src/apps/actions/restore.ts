import * as v from 'valibot';
import { actionsNeeding, field, flag, optional, type Progress, Refusal } from '../../core/action.ts';
import { createErasureFile, readErasures } from '../../features/privacy/erasure-log.ts';
import { describeCounts } from '../../lib/describe-counts.ts';
import { explainFileError } from '../../lib/error-message.ts';
import { formatCount, joinWithAnd } from '../../lib/format-count.ts';
import { explainDatabaseError } from '../cli/exit-on-error.ts';
import type { Config } from '../server/config.ts';
import {
  countAllTables,
  droppedKinds,
  openTarget,
  type Restored,
  readBackupTime,
  restoreBackup,
  type Target,
} from '../server/restore-database.ts';

type Restoration = Omit<Parameters<typeof restoreBackup>[2], 'file'> & { config: Config; target: Target };

const defineAction = actionsNeeding<Restoration, Config>();

export const restore = defineAction({
  name: 'restore',
  about: `Restores a backup into the configured database, SQLite or PostgreSQL. The file is checked first; then \
all of it is restored, or nothing. Stop the site before, and start it afterwards. People erased since the backup are \
erased again, and deliveries that were waiting become unconfirmed. To move a site: npm run copy-database`,
  examples: ['backup.sqlite --replace'],
  input: v.object({
    file: field('<file>', 'file written by npm run backup', v.string()),
    replace: flag('--replace', 'replace all current data in the database'),
    erasures: optional(
      '--erasures <file>',
      'erasures.ndjson from the data folder of the previous machine',
      v.string(),
    ),
    force: flag('--force', 'even if other clients are connected (PostgreSQL)'),
  }),
  async open(config, { file, erasures: otherFile, force }, progress) {
    const { path } = createErasureFile(config.dataDir);
    const logFile = await readErasureFile(path, progress, { isOptional: true });
    const otherLogFile = otherFile === undefined ? [] : await readErasureFile(otherFile, progress);
    const createdAt = await readBackupTime(file).catch(refuse(file));
    const target = await openTarget(config, force).catch(error => {
      throw new Refusal(`${explainDatabaseError(error, config)}. Nothing was changed.`);
    });
    const close = () => target[Symbol.asyncDispose]();
    return { config, target, logFile, otherLogFile, createdAt, [Symbol.asyncDispose]: close };
  },
  async confirm({ target }, { replace }) {
    const contents = describeCounts(await countAllTables(target.db));
    const found = `${target.location} contains ${contents}`;
    if (contents && !replace)
      throw new Refusal(`${found}. Use --replace to replace all of it. Nothing was changed.`);
    return {
      shows: [contents && `${found}. All of it will be replaced.`],
      text: contents && 'Replace it?',
      otherwise: 'Nothing was changed',
    };
  },
  async run({ config, target, ...known }, { file }) {
    const restored = await restoreBackup(config, target, { file, ...known }).catch(refuse(file));
    return { location: target.location, ...restored };
  },
  print: describeRestore,
  json: ({ reports, ...rest }) => Object.assign(rest, ...reports.map(({ json }) => json)),
});

function refuse(file: string) {
  return (error: unknown) => {
    throw new Refusal(`cannot restore ${file}: ${explainFileError(error)}. Nothing was changed.`);
  };
}

async function readErasureFile(file: string, progress: Progress, { isOptional = false } = {}) {
  const { rows, unreadable } = await readErasures(file).catch(error => {
    if (isOptional && error.code === 'ENOENT') return { rows: [], unreadable: 0 };
    throw new Refusal(`cannot read ${file}: ${explainFileError(error)}. Nothing was changed.`);
  });
  if (rows.length === 0 && unreadable > 0)
    throw new Refusal(`${file} is not a list of erasures. Nothing was changed.`);
  if (unreadable > 0)
    progress(`${file}: ${formatCount(unreadable, 'damaged line')} skipped, so erasures may be missing`);
  return rows;
}

function describeErasedAgain({ messages = 0, newsletter = 0, mentions = 0, reports = 0 }): string {
  return joinWithAnd([
    ...(messages > 0 ? [formatCount(messages, 'message')] : []),
    ...(newsletter > 0 ? [formatCount(newsletter, 'subscriber')] : []),
    ...(mentions > 0 ? [`${formatCount(mentions, 'mention')} in other messages`] : []),
    ...(reports > 0 ? [formatCount(reports, 'audit report')] : []),
  ]);
}

function describeRestore({
  location,
  createdAt,
  counts,
  erased,
  reports,
  unfinished,
  ...restored
}: Restored & { location: string }) {
  const again = describeErasedAgain(erased);
  const { messages } = unfinished;
  const dropped: Record<string, number> = unfinished;
  return [
    `${location} restored${createdAt && ` as of ${createdAt}`}: ${describeCounts(counts) || 'empty'}`,
    again && `Erased again: ${again}`,
    restored.areErasuresUnknown &&
      'No erasures after the backup are known on this machine. If there were any, restore again with --erasures and ' +
        "the old machine's erasures.ndjson, or repeat the erasures.",
    ...reports.flatMap(({ lines }) => lines),
    restored.corrections > 0 &&
      `Corrections made after the backup are lost: ${restored.corrections}. Repeat them: npm run privacy -- rectify`,
    messages > 0 &&
      `${formatCount(messages, 'waiting delivery')} may have been sent since the backup. They are sent again; a receiver ` +
        'that cannot be searched may get one twice, marked as a possible duplicate.',
    ...droppedKinds.map(({ counted, describe }) => {
      const count = dropped[counted] ?? 0;
      return count > 0 && describe(count);
    }),
    'Start the site, then run: npm run inbox -- test-message',
  ];
}
