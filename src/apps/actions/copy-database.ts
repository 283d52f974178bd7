import * as v from 'valibot';
import { actionsNeeding, field, flag, Refusal } from '../../core/action.ts';
import { describeCounts } from '../../lib/describe-counts.ts';
import { explainFileError } from '../../lib/error-message.ts';
import type { Config } from '../server/config.ts';
import {
  copyDatabase,
  countAllTables,
  isPostgres,
  openTarget,
  readBackupTime,
} from '../server/restore-database.ts';

const defineAction = actionsNeeding<{ config: Config }>();

const isDatabase = (given: string) => !given.includes('://') || (isPostgres(given) && URL.canParse(given));

export const copy = defineAction({
  name: 'copy-database',
  about: `Copies a database into an empty one, to move from SQLite to PostgreSQL or back. Each is the path of \
an SQLite file or a URL such as postgres://user:password@host/name. Stop the site first.`,
  examples: ['data/wardhouse.sqlite postgres://user:password@localhost/site'],
  opens: 'nothing',
  input: v.pipe(
    v.object({
      from: field('<from>', 'source database', v.string()),
      to: field('<to>', 'target database, which must be empty', v.string()),
      force: flag('--force', 'even if other clients are connected (PostgreSQL)'),
    }),
    v.check(
      ({ from, to }) => isDatabase(from) && isDatabase(to),
      'a database is the path of an SQLite file or a postgres:// URL',
    ),
  ),
  async run({ config }, { from, to, force }) {
    const refuse = (name: string) => (error: unknown) => {
      throw new Refusal(`cannot use the database ${name}: ${explainFileError(error)}. Nothing was changed.`);
    };
    if (!isPostgres(from)) await readBackupTime(from).catch(refuse('FROM'));
    await using target = await openTarget(config, force, to).catch(refuse('TO'));
    const { location } = target;
    const before = await countAllTables(target.db);
    const contents = describeCounts(before) || (before.audit ? 'erasures' : '');
    if (contents) throw new Refusal(`${location} is not empty (${contents}). Nothing was changed.`);
    return { location, counts: await copyDatabase(config, from, target, force).catch(refuse('FROM')) };
  },
  print: ({ location, counts }) => [`Copied to ${location}: ${describeCounts(counts) || 'empty'}`],
});
