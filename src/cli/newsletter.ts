import { Option } from '@commander-js/extra-typings';
import {
  addSubcommand,
  createCommand,
  parseLimit,
  parseTime,
  runCommand,
  withConfig,
  withDatabase,
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

const about = 'Issues of the newsletter, and the list of its subscribers. Times are in UTC.';
const newsletter = createCommand('newsletter', about, 'send 2026-11.md');

const file = ['<file>', 'FILE.md, or a post of the blog: content/blog/FILE.md'] as const;
const name = ['[name]', 'of an issue or its file'] as const;
const limit = ['--limit <n>', 'how many lines at most', parseLimit, 100] as const;
const inState = () => new Option('--state <name>', 'only in this state').choices(states);

addSubcommand(newsletter, 'preview 2026-11.md', 'write what a reader will see into the data folder')
  .argument(...file)
  .action(withConfig(preview));

addSubcommand(newsletter, 'test 2026-11.md --to me@example.com', 'send an issue to one address, at once')
  .argument(...file)
  .requiredOption('--to <address>', 'who gets it')
  .action(withDatabase(sendTest));

addSubcommand(
  newsletter,
  'send 2026-11.md',
  'send an issue to everybody who has confirmed and has none of it yet',
)
  .argument(...file)
  .option('--yes', 'do not ask')
  .option('--resend-unsure', 'also once more to those who possibly have it')
  .option('--resend-failed', 'also once more to those it could not be sent to')
  .option('--no-wait', 'without following how it goes')
  .action(withDatabase(send));

addSubcommand(newsletter, 'stop', 'hold what waits of an issue; of the newest unless named')
  .argument(...name)
  .action(withDatabase(stop));

addSubcommand(newsletter, 'resume', 'let an issue that was stopped go on')
  .argument(...name)
  .action(withDatabase(resume));

addSubcommand(newsletter, 'status 2026-11', 'what became of each issue; of one, whom it did not reach')
  .argument(...name)
  .option(...limit)
  .action(withDatabase(status));

addSubcommand(newsletter, 'list --state confirmed', 'subscribers')
  .addOption(inState())
  .option(...limit)
  .action(withDatabase(list));

addSubcommand(newsletter, 'export --csv', 'the whole list to standard output; npm run -s prints nothing else')
  .option('--csv', 'for a spreadsheet')
  .addOption(inState())
  .action(withDatabase(exportList));

addSubcommand(newsletter, 'import list.csv --dry-run', 'ask every new address in a file to confirm')
  .argument('<file>', 'CSV with an email column, or one address per line')
  .option('--yes', 'do not ask')
  .option('--dry-run', 'only show what would be done')
  .action(withDatabase(importList));

addSubcommand(newsletter, 'suppress zoe@example.com', 'send nothing more to an address')
  .argument('<address>')
  .action(withDatabase(suppress));

addSubcommand(newsletter, 'unsuppress zoe@example.com', 'send to an address again')
  .argument('<address>')
  .action(withDatabase(unsuppress));

addSubcommand(newsletter, 'erase zoe@example.com', 'erase an address from the newsletter')
  .argument('<address>')
  .action(withDatabase(erase));

addSubcommand(newsletter, 'drop-pending --since 24h', 'show requests not confirmed by network, and drop them')
  .option('--since <time>', '2026-11-01, 2026-11-01T09:30Z, 7d or 24h', parseTime)
  .option('--until <time>', 'the same', parseTime)
  .option('--network <class>', 'ipv4, ipv6, or a network of that list')
  .option('--yes', 'do not ask')
  .option(...limit)
  .action(withDatabase(dropPendingRequests));

await runCommand(newsletter);
