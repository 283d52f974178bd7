import { Option } from '@commander-js/extra-typings';
import { messageReceivers } from '../domain/messages/read-inbox.ts';
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
  withServices,
  withServicesIgnoringReceiverSettings,
} from './command.ts';
import { deleteAll } from './inbox/delete.ts';
import { deliveries } from './inbox/deliveries.ts';
import { exportMessages } from './inbox/export.ts';
import { list } from './inbox/list.ts';
import { answer, close, note, reopen } from './inbox/message-states.ts';
import { markSpam, release } from './inbox/release.ts';
import { report } from './inbox/report.ts';
import { retry } from './inbox/retry.ts';
import { show } from './inbox/show.ts';
import { testMessage } from './inbox/test-message.ts';

const about = 'Lists and manages messages and their deliveries. Times are in UTC.';
const inbox = createCommand('inbox', about, 'list --since 7d');

const since = ['--since <time>', 'start, e.g. 2026-11-01, 2026-11-01T09:30Z, 7d or 24h', parseTime] as const;
const limit = ['--limit <n>', 'maximum number of rows', parseLimit, 100] as const;
const force = ['--force', 'overwrite an existing file'] as const;
const states = ['new', 'answered', 'closed', 'quarantined', 'empty', 'spam'] as const;
// The name until 0.1.0 stays valid for one release.
const formerFailed = () => new Option('--dead').hideHelp().conflicts('waiting').implies({ failed: true });
const onlyTo = () => new Option('--to <name>', 'filter by receiver').choices(messageReceivers);

const addFilters = (subcommand: Subcommand) =>
  subcommand
    .option(...since)
    .addOption(new Option('--state <name>', 'filter by state').choices(states))
    .option('--service <name>', 'filter by service, as named in the form')
    .option('--search <words>', 'filter by words; ignores case and accents');

addFilters(addSubcommand(inbox, 'list --state new', 'list messages, newest first'))
  .option(...limit)
  .option('--before <reference>', 'show messages older than this one', parseReference)
  .action(withServicesIgnoringReceiverSettings(list));

addSubcommand(inbox, 'show 7X4QM-2KD9A', 'show a message, its notes and its delivery attempts')
  .argument('<reference>', 'reference of the message', parseReference)
  .action(withServicesIgnoringReceiverSettings(show));

addSubcommand(inbox, 'answer 7X4QM-2KD9A', 'mark a message as answered, and print who to reply to')
  .argument('<reference>', 'reference of the message', parseReference)
  .option('--note <text>', 'also add a note')
  .action(withServicesIgnoringReceiverSettings(answer));

addSubcommand(inbox, 'note 7X4QM-2KD9A "Called back, sends an offer"', 'add a note that only you see')
  .argument('<reference>', 'reference of the message', parseReference)
  .argument('<text...>', 'the note')
  .action(withServicesIgnoringReceiverSettings(note));

addSubcommand(inbox, 'close 7X4QM-2KD9A', 'mark messages as done')
  .argument('<reference...>', 'references of messages', parseReferences)
  .action(withServicesIgnoringReceiverSettings(close));

addSubcommand(inbox, 'reopen 7X4QM-2KD9A', 'mark answered or closed messages as new again')
  .argument('<reference...>', 'references of messages', parseReferences)
  .action(withServicesIgnoringReceiverSettings(reopen));

addSubcommand(
  inbox,
  'delete 7X4QM-2KD9A',
  'delete messages for good, with notes, deliveries and local copies',
)
  .argument('<reference...>', 'references of messages', parseReferences)
  .option('--yes', 'skip the confirmation prompt')
  .action(withServices(deleteAll));

addFilters(addSubcommand(inbox, 'export --csv messages.csv', 'write messages to a file, as CSV or JSON'))
  .argument('<file>', 'output file; - for standard output')
  .option('--csv', 'write CSV')
  .option(...force)
  .action(withServicesIgnoringReceiverSettings(exportMessages));

addSubcommand(inbox, 'deliveries --failed', 'list deliveries, newest first')
  .addOption(new Option('--failed', 'only failed deliveries').conflicts('waiting'))
  .addOption(formerFailed())
  .option('--waiting', 'only waiting deliveries')
  .addOption(onlyTo())
  .option(...limit)
  .action(withServicesIgnoringReceiverSettings(deliveries));

addSubcommand(inbox, 'retry --failed', 'retry failed or waiting deliveries immediately')
  .argument('[reference]', 'reference of one message', parseReference)
  .option('--failed', 'all failed deliveries')
  .addOption(formerFailed())
  .option('--waiting', 'all waiting deliveries')
  .addOption(onlyTo())
  .action(withServicesIgnoringReceiverSettings(retry));

addSubcommand(inbox, 'release 7X4QM-2KD9A', 'release messages from quarantine or spam, and deliver them')
  .argument('[reference...]', 'references of messages', parseReferences)
  .addOption(
    new Option('--reason <name>', 'all in quarantine for this reason').choices([
      ...signals,
      'trap',
      'trap text',
    ]),
  )
  .option(...since)
  .option('--yes', 'skip the confirmation prompt')
  .action(withServices(release));

addSubcommand(inbox, 'mark-spam 7X4QM-2KD9A', 'mark messages as spam, and cancel pending deliveries')
  .argument('<reference...>', 'references of messages', parseReferences)
  .action(withServicesIgnoringReceiverSettings(markSpam));

addSubcommand(inbox, 'test-message', 'send a test message to every receiver and verify its arrival').action(
  withServices(testMessage),
);

addSubcommand(inbox, 'report', 'print the figures of the last 52 weeks; the desk draws them').action(
  withServicesIgnoringReceiverSettings(report),
);

await runCommand(inbox);
