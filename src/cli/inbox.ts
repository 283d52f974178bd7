import type { Wired } from '../server/wire.ts';
import { runVerbs, type Verb } from './command.ts';
import { type Call, options } from './inbox/call.ts';
import { deliveries } from './inbox/deliveries.ts';
import { exportMessages } from './inbox/export.ts';
import { list } from './inbox/list.ts';
import { markSpam } from './inbox/mark-spam.ts';
import { release } from './inbox/release.ts';
import { retry } from './inbox/retry.ts';
import { show } from './inbox/show.ts';
import { testMessage } from './inbox/test-message.ts';

const usage = `npm run inbox -- VERB

  list                    messages, newest first, a page at a time, with as
                          many columns as there is room for
  show REFERENCE          a message as it was written, and each attempt to pass
                          it on
  export --csv FILE       messages as a file for a spreadsheet,
  export --json FILE      or for a program; - is standard output

    list and export take
    [--since TIME]        2026-11-01, 2026-11-01T09:30Z, 7d or 24h
    [--state NAME]        new, quarantined, empty or spam
    [--service NAME]      exactly as the form names it
    [--search WORDS]      with every word somewhere in it; capitals and accents
                          do not count

  deliveries              every delivery, newest first
    [--dead | --waiting]  those given up, or those on their way
  retry REFERENCE         send again, at once, what of it was given up or waits
                          after a failure
  retry --dead            the same with all that was given up,
  retry --waiting         or with all that waits after a failure
  release REFERENCE …     let messages out of quarantine or spam, and on their
                          way
  release --reason NAME   the same with all in quarantine that have this reason,
    [--since TIME]        or with those that came since; asks before it does
    [--yes]               do not ask
  mark-spam REFERENCE …   pass messages on to nobody who does not have them yet
  test-message            send a marked message to every receiver, and look
                          whether it is there
  report FILE.html        figures and plots as one page to open in a browser or
                          to print; - is standard output

  --to NAME               only to this receiver: sheet, mail or webhook
                          (deliveries, retry)
  --limit N               how many lines at most (list, deliveries; 100 unless
                          said)
  --before REFERENCE      the page of messages before this one (list)
  --force                 replace a file that is there (export, report)
  --json                  print JSON
  --help                  print this

Times are in UTC.
`;

const filters = ['since', 'state', 'service', 'search'] as const;

const verbs: Record<string, Verb<typeof options>> = {
  list: { run: list, most: 0, options: [...filters, 'limit', 'before'] },
  show: { run: show, needs: 'a reference', most: 1, options: [] },
  export: { run: exportMessages, needs: 'a file', most: 1, options: [...filters, 'csv', 'force'] },
  deliveries: { run: deliveries, most: 0, options: ['dead', 'waiting', 'to', 'limit'] },
  retry: { run: retry, most: 1, options: ['dead', 'waiting', 'to'] },
  release: { run: release, most: Number.POSITIVE_INFINITY, options: ['reason', 'since', 'yes'] },
  'mark-spam': { run: markSpam, needs: 'a reference', most: Number.POSITIVE_INFINITY, options: [] },
  report: { run: drawReport, needs: 'a file', most: 1, options: ['force'] },
  'test-message': { run: testMessage, most: 0, options: [] },
};

/** It reads the words of the site, which no other verb should wait for. */
async function drawReport(wired: Wired, call: Call): Promise<void> {
  const { report } = await import('./inbox/report.ts');
  await report(wired, call);
}

await runVerbs({ usage, options, verbs });
