import { runVerbs, type Verb } from './command.ts';
import { bounces } from './newsletter/bounces.ts';
import { options } from './newsletter/call.ts';
import { dropPendingRequests } from './newsletter/drop-pending.ts';
import { importList } from './newsletter/import.ts';
import { exportList, list } from './newsletter/list.ts';
import { preview } from './newsletter/preview.ts';
import { send } from './newsletter/send.ts';
import { sendTest } from './newsletter/send-test.ts';
import { status } from './newsletter/status.ts';
import { resume, stop } from './newsletter/stop.ts';
import { erase, suppress, unsuppress } from './newsletter/suppress.ts';

const usage = `npm run newsletter -- VERB

  preview FILE.md              write what a reader will see into the data
                               folder; nothing is sent
  test FILE.md --to ADDRESS    send it to one address, at once
  send FILE.md [--yes]         send it to everybody who has confirmed; the same
                               file again goes on with it
       content/blog/FILE.md    or a post of the blog, once it is on the web
       [--resend-unsure]       also once more to those who possibly have it
       [--resend-failed]       also once more to those it could not be sent to
       [--no-wait]             without following how it goes
  stop [NAME] | resume [NAME]  hold what waits of an issue, or let it go on
  status [NAME]                what became of each issue; of one, whom it did
                               not reach or possibly reached
  list [--state NAME]          subscribers; NAME is pending, confirmed,
                               unsubscribed or suppressed
  export --csv [--state NAME]  the whole list for a spreadsheet, to standard
                               output (npm run -s … > list.csv)
  import FILE.csv [--dry-run]  ask everybody in the file to confirm
         [--confirmed]         with proof of consent in each row: take them as
                               confirmed
  bounces FILE.eml …           send nothing more to addresses that these
                               reports say do not exist
  suppress ADDRESS | unsuppress ADDRESS | erase ADDRESS
  drop-pending [--yes]         show from which networks requests came that are
                               not confirmed, and drop them after an attack
       [--since TIME]          2026-11-01, 2026-11-01T09:30Z, 7d or 24h
       [--until TIME]
       [--network CLASS]       ipv4, ipv6, or a network of that list

  --limit N    how many lines at most (list, status, drop-pending; 100 unless
               said)
  --json       print JSON
  --help       print this
`;

const verbs: Record<string, Verb<typeof options>> = {
  preview: { runApart: preview, needs: 'a file', most: 1, options: [] },
  test: { run: sendTest, needs: 'a file', most: 1, options: ['to'] },
  send: {
    run: send,
    needs: 'a file',
    most: 1,
    options: ['yes', 'resend-unsure', 'resend-failed', 'no-wait'],
  },
  stop: { run: stop, most: 1, options: [] },
  resume: { run: resume, most: 1, options: [] },
  status: { run: status, most: 1, options: ['limit'] },
  list: { run: list, most: 0, options: ['state', 'limit'] },
  export: { run: exportList, most: 0, options: ['csv', 'state'] },
  import: { run: importList, needs: 'a file', most: 1, options: ['confirmed', 'dry-run'] },
  bounces: { run: bounces, needs: 'a file', most: Number.POSITIVE_INFINITY, options: [] },
  suppress: { run: suppress, needs: 'an address', most: 1, options: [] },
  unsuppress: { run: unsuppress, needs: 'an address', most: 1, options: [] },
  'drop-pending': {
    run: dropPendingRequests,
    most: 0,
    options: ['yes', 'since', 'until', 'network', 'limit'],
  },
  erase: { run: erase, needs: 'an address', most: 1, options: [] },
};

await runVerbs({ usage, options, verbs });
