import type { Wired } from '../server/wire.ts';
import {
  addSubcommand,
  createCommand,
  parseReference,
  parseReferences,
  runCommand,
  withDatabase,
} from './command.ts';
import { errorMessage, exitWithError } from './print-error.ts';
import { erase } from './privacy/erase.ts';
import { exportAll } from './privacy/export.ts';
import { find } from './privacy/find.ts';
import { rectify } from './privacy/rectify.ts';

const about = `What is known of a person. Make sure that whoever asks is who they say before you answer. What an \
erasure leaves is a line without personal data; what it cannot reach, it names. Times are in UTC.`;
const privacy = createCommand('privacy', about, 'find zoe@example.com');

addSubcommand(privacy, 'find zoe@example.com', 'what is known of an address, and where it is')
  .argument('<address>')
  .action(run(find));

addSubcommand(privacy, 'export zoe@example.com zoe.json', 'all of it as one file that the person can be sent')
  .argument('<address>')
  .argument('<file>', '- is standard output')
  .option('--force', 'replace a file that is there')
  .action(run(exportAll));

addSubcommand(
  privacy,
  'rectify zoe@example.com --name Zoe',
  'put a name or an address right, in every copy within reach',
)
  .argument('<address>')
  .option('--name <text>', 'their name')
  .option('--email <address>', 'their address; a newsletter asks the new one to confirm')
  .option('--reference <reference>', 'in this message alone', parseReference)
  .option('--yes', 'do not ask')
  .action(run(rectify));

addSubcommand(privacy, 'erase zoe@example.com', 'remove all of it from this machine and its database')
  .argument('<address>')
  .option('--with <reference>', 'also this message of theirs; may be repeated', parseReferences)
  .option('--yes', 'do not ask')
  .action(run(erase));

await runCommand(privacy);

/** An error of the disk or the database is one line, not a stack. */
function run<A extends unknown[]>(verb: (wired: Wired, ...args: A) => Promise<void>) {
  return withDatabase(async (wired, ...args: A) => {
    try {
      await verb(wired, ...args);
    } catch (error) {
      const isOutside = error instanceof Error && ('code' in error || 'errcode' in error);
      if (!isOutside) throw error;
      exitWithError(
        `It could not be done: ${errorMessage(error)}. What was done so far stays; say it again.`,
      );
    }
  });
}
