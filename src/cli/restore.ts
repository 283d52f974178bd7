import type { Config } from '../server/config.ts';
import { createLedger, readErasures } from '../server/erasure-ledger.ts';
import {
  checkBackup,
  countRows,
  openTarget,
  type Restored,
  restoreBackup,
} from '../server/restore-database.ts';
import { confirm, createCommand, type Flags, runCommand, type TextOptions, withConfig } from './command.ts';
import { describeCounts, formatCount, joinWithAnd, printError, printJson, printNote } from './print.ts';
import { exitWithError, explainDatabaseError, explainFileError } from './print-error.ts';

const about = `Fills the configured database with a backup, whichever of the two it was taken from and is restored into. \
The whole file is checked first; then all of it is restored, or nothing. Stop the site before, and start it after. Who \
was erased since the backup was made is left out again, and what waited to be sent counts as possibly sent. (To move a \
site: npm run copy-database.)`;

await runCommand(
  createCommand('restore', about, 'backup.sqlite')
    .argument('<file>', 'as npm run backup wrote it')
    .option('--replace', 'put it in the place of what the database holds now, all of which goes')
    .option('--yes', 'do not ask')
    .option(
      '--erasures <file>',
      'who was erased, as the machine before kept it (erasures.ndjson in its data folder)',
    )
    .option('--force', 'although others are connected to the database (PostgreSQL)')
    .option('--json', 'print JSON')
    .action(withConfig(restore)),
);

type Values = Flags<'replace' | 'yes' | 'force' | 'json'> & TextOptions<'erasures'>;

async function restore(config: Config, file: string, values: Values): Promise<void> {
  const refused = (error: unknown) =>
    exitWithError(`${file} cannot be restored: ${explainFileError(error)}. Nothing was changed.`);
  const ledger = await gatherErasures(createLedger(config.dataDir).place, { isOptional: true });
  const erasures = values.erasures === undefined ? [] : await gatherErasures(values.erasures);
  const madeAt = await checkBackup(file).catch(refused);
  await using target = await openTarget(config, values.force ?? false).catch(error =>
    exitWithError(`${explainDatabaseError(error, config)}. Nothing was changed.`),
  );
  const held = describeCounts(await countRows(target.db));
  if (held && !(await isReplaceable(`${target.place} holds ${held}`, values))) return;
  const restored = await restoreBackup(config, target, { file, madeAt, ledger, erasures }).catch(refused);
  const told = { place: target.place, ...restored };
  if (values.json) printJson(told);
  else for (const line of describe(told)) if (line) printNote(line);
}

/** A damaged line may be a person who was promised erasure, so it is reported. */
async function gatherErasures(file: string, { isOptional = false } = {}) {
  const { rows, unreadable } = await readErasures(file).catch(error => {
    if (isOptional && error.code === 'ENOENT') return { rows: [], unreadable: 0 };
    return exitWithError(`${file} cannot be read: ${explainFileError(error)}. Nothing was changed.`);
  });
  if (rows.length === 0 && unreadable > 0)
    exitWithError(`${file} is no list of erasures. Nothing was changed.`);
  if (unreadable > 0)
    printNote(`${file}: ${unreadable} damaged lines were left out, so erasures may be missing.`);
  return rows;
}

async function isReplaceable(held: string, values: Values): Promise<boolean> {
  if (!values.replace) {
    printError(`${held}. --replace puts the backup in their place. Nothing was changed.`);
    return false;
  }
  printNote(`${held}: all of it goes.`);
  return confirm('Replace it?', values, 'Nothing was changed');
}

function describe({
  place,
  madeAt,
  counts,
  erased,
  departed,
  unconfirmed,
  ...told
}: Restored & { place: string }) {
  const again = joinWithAnd([
    ...(erased.messages > 0 ? [formatCount(erased.messages, 'message')] : []),
    ...(erased.newsletter > 0 ? [formatCount(erased.newsletter, 'subscriber')] : []),
    ...(erased.mentions > 0 ? [`${formatCount(erased.mentions, 'mention')} in messages of others`] : []),
  ]);
  const { messages, issues, confirmations } = unconfirmed;
  return [
    `${place} now holds ${describeCounts(counts) || 'nothing'}${madeAt && `, as of ${madeAt}`}.`,
    again && `Erased again: ${again}.`,
    told.areErasuresUnknown &&
      'No erasures are known here but those in the backup. If anybody was erased after it was made, restore it again ' +
        "with --erasures and the old machine's erasures.ndjson, or repeat the erasures.",
    departed > 0 &&
      `Left the newsletter or suppressed since the backup, and still so: ${formatCount(departed, 'subscriber')}.`,
    told.areDeparturesUnknown &&
      'Not known here: who left the newsletter after the backup, or was suppressed. They are back on its list. If the ' +
        'database they left is still there, back that up and restore it instead. Otherwise, before the next issue, for ' +
        'everybody you know of: npm run newsletter -- suppress ADDRESS',
    told.corrections > 0 &&
      `Corrected after the backup, and now as before: ${told.corrections}. Repeat: npm run privacy -- rectify`,
    messages > 0 &&
      `${messages.toLocaleString('en-GB')} deliveries that waited may have been sent since. They are sent; a receiver ` +
        'that cannot be asked may get one twice, marked as such.',
    issues > 0 &&
      `${formatCount(issues, 'mail')} of newsletters may have been sent since, and wait for you: npm run newsletter -- status`,
    confirmations > 0 &&
      `${formatCount(confirmations, 'confirmation mail')} dropped: those people may ask again.`,
    'Start the site, and run: npm run inbox -- test-message',
  ];
}
