import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, configOrExit } from '../server/config.ts';
import { createProcessLog, wire } from '../server/wire.ts';
import { complain, explainStore } from './complain.ts';
import { bounces } from './newsletter/bounces.ts';
import { type Call, Refusal, type Run, readArguments, refuse } from './newsletter/call.ts';
import { importList } from './newsletter/import.ts';
import { exportList, list } from './newsletter/list.ts';
import { preview } from './newsletter/preview.ts';
import { send } from './newsletter/send.ts';
import { sendTest } from './newsletter/send-test.ts';
import { status } from './newsletter/status.ts';
import { resume, stop } from './newsletter/stop.ts';
import { erase, suppress, unsuppress } from './newsletter/suppress.ts';

const usage = `npm run newsletter -- VERB

  preview FILE.md                      write what a reader will see into the data folder; nothing is sent
  test FILE.md --to ADDRESS            send it to one address, at once
  send FILE.md [--yes]                 send it to everybody who has confirmed; the same file again goes on with it
       [--resend-unsure]               also once more to those who possibly have it
       [--resend-failed]               also once more to those it could not be sent to
       [--no-wait]                     without following how it goes
  stop [NAME] | resume [NAME]          hold what waits of an issue, or let it go on
  status [NAME]                        what became of each issue; of one, whom it did not reach or possibly reached
  list [--state NAME]                  subscribers; NAME is pending, confirmed, unsubscribed or suppressed
  export --csv [--state NAME]          the whole list for a spreadsheet, to standard output (npm run -s … > list.csv)
  import FILE.csv [--dry-run]          ask everybody in the file to confirm
         [--confirmed]                 with proof of consent in each row: take them as confirmed
  bounces FILE.eml …                   send nothing more to addresses that these reports say do not exist
  suppress ADDRESS | unsuppress ADDRESS | erase ADDRESS

  --limit N    how many lines at most (list, status; 100 unless said)
  --json       print JSON
  --help       print this
`;

type Verb = { needs?: 'a file' | 'an address'; most: number; options: (keyof Call['values'])[] } & (
  | { run: Run }
  /** Opens no database, so that a draft can be looked at anywhere. */
  | { runApart(config: Config, call: Call): Promise<void> }
);

const verbs: Record<string, Verb> = {
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
  erase: { run: erase, needs: 'an address', most: 1, options: [] },
};

try {
  await runVerb();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n\n${usage}`);
  process.exit(2);
}

async function runVerb(): Promise<void> {
  const { values, positionals, tokens } = readArguments();
  const [verb, ...given] = positionals;
  if (values.help || !verb || verb === 'help') {
    process.stdout.write(usage);
    process.exit(values.help || verb ? 0 : 2);
  }
  const meant = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!meant) refuse(`There is no '${verb}'.`);
  if (meant.needs && given.length === 0) refuse(`${verb} takes ${meant.needs}.`);
  if (given.length > meant.most) refuse(`'${given.slice(meant.most).join(' ')}' was not expected.`);
  for (const token of tokens) {
    if (token.kind !== 'option' || token.name === 'json') continue;
    if (!meant.options.some(name => name === token.name)) refuse(`${verb} takes no ${token.rawName}.`);
  }

  const config = configOrExit();
  const call = { given, values };
  if ('runApart' in meant) return meant.runApart(config, call);
  const file = join(config.dataDir, 'wardhouse.sqlite');
  if (!config.databaseUrl && !existsSync(file)) {
    complain(`There is no database at ${file} that can be read: is DATA_DIR right?`);
  }
  const quiet = createProcessLog({ ...config, logLevel: 'error' });
  const wired = await wire(config, { log: quiet }).catch(error => complain(explainStore(error, config)));
  await meant.run(wired, call);
  await wired[Symbol.asyncDispose]();
}
