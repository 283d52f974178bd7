import { Option } from '@commander-js/extra-typings';
import { signals } from '../domain/messages/score-message.ts';
import {
  addSubcommand,
  createCommand,
  parseLimit,
  parseReference,
  parseReferences,
  parseTime,
  runCommand,
  type Subcommand,
  withDatabase,
} from './command.ts';
import { deliveries, receivers } from './inbox/deliveries.ts';
import { exportMessages } from './inbox/export.ts';
import { list } from './inbox/list.ts';
import { markSpam, release } from './inbox/release.ts';
import { retry } from './inbox/retry.ts';
import { show } from './inbox/show.ts';
import { testMessage } from './inbox/test-message.ts';

const about = 'Messages that visitors wrote, and their deliveries. Times are in UTC.';
const inbox = createCommand('inbox', about, 'list --since 7d');

const since = ['--since <time>', '2026-11-01, 2026-11-01T09:30Z, 7d or 24h', parseTime] as const;
const limit = ['--limit <n>', 'how many lines at most', parseLimit, 100] as const;
const force = ['--force', 'replace a file that is there'] as const;
const states = ['new', 'quarantined', 'empty', 'spam'] as const;
const onlyTo = () => new Option('--to <name>', 'only to this receiver').choices(receivers);

const addFilters = (verb: Subcommand) =>
  verb
    .option(...since)
    .addOption(new Option('--state <name>', 'only in this state').choices(states))
    .option('--service <name>', 'exactly as the form names it')
    .option('--search <words>', 'with every word somewhere in it; capitals and accents do not count');

addFilters(addSubcommand(inbox, 'list --state quarantined', 'messages, newest first, a page at a time'))
  .option(...limit)
  .option('--before <reference>', 'the page of messages before this one', parseReference)
  .action(withDatabase(list));

addSubcommand(inbox, 'show 7X4QM-2KD9A', 'a message as it was written, and each attempt to pass it on')
  .argument('<reference>', 'of the message', parseReference)
  .action(withDatabase(show));

addFilters(addSubcommand(inbox, 'export --csv messages.csv', 'messages as a file; say --csv or --json'))
  .argument('<file>', '- is standard output')
  .option('--csv', 'for a spreadsheet')
  .option(...force)
  .action(withDatabase(exportMessages));

addSubcommand(inbox, 'deliveries --dead', 'every delivery, newest first')
  .addOption(new Option('--dead', 'those given up').conflicts('waiting'))
  .option('--waiting', 'those on their way')
  .addOption(onlyTo())
  .option(...limit)
  .action(withDatabase(deliveries));

addSubcommand(inbox, 'retry --dead', 'send again, at once, what was given up or waits after a failure')
  .argument('[reference]', 'only of this message', parseReference)
  .option('--dead', 'all that was given up')
  .option('--waiting', 'all that waits after a failure')
  .addOption(onlyTo())
  .action(withDatabase(retry));

addSubcommand(inbox, 'release 7X4QM-2KD9A', 'let messages out of quarantine or spam, and on their way')
  .argument('[reference...]', 'of the messages', parseReferences)
  .addOption(
    new Option('--reason <name>', 'all in quarantine with this reason; asks first').choices([
      ...signals,
      'trap',
      'trap text',
    ]),
  )
  .option(...since)
  .option('--yes', 'do not ask')
  .action(withDatabase(release));

addSubcommand(inbox, 'mark-spam 7X4QM-2KD9A', 'pass messages on to no receiver that does not have them yet')
  .argument('<reference...>', 'of the messages', parseReferences)
  .action(withDatabase(markSpam));

addSubcommand(
  inbox,
  'test-message',
  'send a marked message to every receiver, and look whether it is there',
).action(withDatabase(testMessage));

addSubcommand(inbox, 'report report.html', 'figures as one page to open in a browser or to print')
  .argument('<file>', 'FILE.html; - is standard output')
  .option(...force)
  .action(
    withDatabase(async (wired, file: string, values: { force?: true; json?: true }) => {
      // Loading content takes time that only this verb needs.
      const { report } = await import('./inbox/report.ts');
      await report(wired, file, values);
    }),
  );

await runCommand(inbox);
