import { Option } from '@commander-js/extra-typings';
import {
  addSubcommand,
  addSubcommandWithoutJson,
  createCommand,
  parseLimit,
  parseTime,
  runCommand,
  withConfig,
  withServices,
} from './command.ts';
import { dropPendingRequests } from './newsletter/drop-pending.ts';
import { importList } from './newsletter/import.ts';
import { exportList, list, states } from './newsletter/list.ts';
import { preview } from './newsletter/preview.ts';
import { send } from './newsletter/send.ts';
import { sendTest } from './newsletter/send-test.ts';
import { status } from './newsletter/status.ts';
import { resume, stop } from './newsletter/stop.ts';
import { erase, suppress, unsuppress } from './newsletter/suppress.ts';

const about = 'Sends newsletter issues and manages subscribers. Times are in UTC.';
const newsletter = createCommand('newsletter', about, 'send 2026-11.md');

const file = ['<file>', 'FILE.md, or a blog post: content/blog/FILE.md'] as const;
const name = ['[name]', 'name or file of an issue (default: the newest)'] as const;
const limit = ['--limit <n>', 'maximum number of rows', parseLimit, 100] as const;
const inState = () => new Option('--state <name>', 'filter by state').choices(states);

addSubcommand(newsletter, 'preview 2026-11.md', 'write an issue as HTML and text files into the data folder')
  .argument(...file)
  .action(withConfig(preview));

addSubcommand(newsletter, 'test 2026-11.md --to me@example.com', 'send an issue to one address immediately')
  .argument(...file)
  .requiredOption('--to <address>', 'recipient')
  .action(withServices(sendTest));

addSubcommand(
  newsletter,
  'send 2026-11.md',
  'send an issue to all confirmed subscribers who have not received it',
)
  .argument(...file)
  .option('--yes', 'skip the confirmation prompt')
  .option('--resend-unconfirmed', 'resend mails that may or may not have arrived')
  // The name until 0.1.0 stays valid for one release.
  .addOption(new Option('--resend-unsure').hideHelp())
  .option('--resend-failed', 'retry mails that failed')
  .option('--no-wait', 'do not wait for delivery')
  .action(withServices(send));

addSubcommand(newsletter, 'stop', 'hold the waiting mails of an issue')
  .argument(...name)
  .action(withServices(stop));

addSubcommand(newsletter, 'resume', 'continue a stopped issue')
  .argument(...name)
  .action(withServices(resume));

addSubcommand(newsletter, 'status 2026-11', 'show the delivery status of all issues, or of one in detail')
  .argument(...name)
  .option(...limit)
  .action(withServices(status));

addSubcommand(newsletter, 'list --state confirmed', 'list subscribers')
  .addOption(inState())
  .option(...limit)
  .action(withServices(list));

addSubcommandWithoutJson(
  newsletter,
  'export --csv',
  'write all subscribers to standard output (use npm run -s)',
)
  .option('--csv', 'CSV for spreadsheets')
  .addOption(inState())
  .action(withServices(exportList));

addSubcommand(
  newsletter,
  'import list.csv --dry-run',
  'send a confirmation request to every new address in a file',
)
  .argument('<file>', 'CSV with an email column, or one address per line')
  .option('--yes', 'skip the confirmation prompt')
  .option('--dry-run', 'show what would be imported')
  .action(withServices(importList));

addSubcommand(newsletter, 'suppress zoe@example.com', 'stop all mail to an address')
  .argument('<address>')
  .action(withServices(suppress));

addSubcommand(newsletter, 'unsuppress zoe@example.com', 'allow mail to an address again')
  .argument('<address>')
  .action(withServices(unsuppress));

addSubcommand(newsletter, 'erase zoe@example.com', 'erase an address from the newsletter')
  .argument('<address>')
  .action(withServices(erase));

addSubcommand(newsletter, 'drop-pending --since 24h', 'list unconfirmed sign-ups by network, and delete them')
  .option('--since <time>', 'start, e.g. 2026-11-01, 2026-11-01T09:30Z, 7d or 24h', parseTime)
  .option('--until <time>', 'same formats as --since', parseTime)
  .option('--network <class>', 'ipv4, ipv6, or a network from the list')
  .option('--yes', 'skip the confirmation prompt')
  .option(...limit)
  .action(withServices(dropPendingRequests));

await runCommand(newsletter);
