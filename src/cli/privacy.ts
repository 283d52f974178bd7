import { errorMessage } from '../lib/error-message.ts';
import type { Services } from '../server/wire.ts';
import {
  addSubcommand,
  addSubcommandWithoutJson,
  createCommand,
  parseReference,
  parseReferences,
  runCommand,
  withServices,
} from './command.ts';
import { exitWithError } from './print.ts';
import { erase } from './privacy/erase.ts';
import { exportAll } from './privacy/export.ts';
import { find } from './privacy/find.ts';
import { rectify } from './privacy/rectify.ts';

const about = `Answers data subject requests: access, correction and erasure. Verify the identity of the person \
first. An erasure leaves an audit entry without personal data, and lists what it cannot reach. Times are in UTC.`;
const privacy = createCommand('privacy', about, 'find zoe@example.com');

addSubcommand(privacy, 'find zoe@example.com', 'list the data stored about an address')
  .argument('<address>')
  .action(run(find));

addSubcommandWithoutJson(
  privacy,
  'export zoe@example.com zoe.json',
  'write the data to a file for the person',
)
  .argument('<address>')
  .argument('<file>', 'output file; - for standard output')
  .option('--force', 'overwrite an existing file')
  .action(run(exportAll));

addSubcommand(
  privacy,
  'rectify zoe@example.com --name Zoe',
  'correct a name or address in the database and local copies',
)
  .argument('<address>')
  .option('--name <text>', 'new name')
  .option('--email <address>', 'new address; the newsletter asks it to confirm')
  .option('--reference <reference>', 'only in this message', parseReference)
  .option('--yes', 'skip the confirmation prompt')
  .action(run(rectify));

addSubcommand(privacy, 'erase zoe@example.com', 'erase the data from the database and local copies')
  .argument('<address>')
  .option('--with <reference>', 'also erase this message; repeatable', parseReferences)
  .option('--yes', 'skip the confirmation prompt')
  .action(run(erase));

await runCommand(privacy);

function run<A extends unknown[]>(command: (services: Services, ...args: A) => Promise<void>) {
  return withServices(async (services, ...args: A) => {
    try {
      await command(services, ...args);
    } catch (error) {
      const isSystemError = error instanceof Error && ('code' in error || 'errcode' in error);
      if (!isSystemError) throw error;
      exitWithError(`${errorMessage(error)}. The command was interrupted; run it again to complete it.`);
    }
  });
}
