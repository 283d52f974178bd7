import { InvalidArgumentError } from '@commander-js/extra-typings';
import { createOwnerDns, type Endpoint } from '../../core/network/owner-network.ts';
import { createCommand, runCommand } from './command.ts';
import { root } from './exit-on-error.ts';
import { expectedEndpoint, parseEndpoint } from './parse-endpoint.ts';
import { exitWithError } from './print.ts';
import { runSetup } from './setup/run-setup.ts';
import { isInteractive, outputWidth, promptStreams } from './terminal.ts';

const about = `Asks for the name, contact details, domain, mail server and sheet of your company, tests each answer, and writes \
content/ and .env. Enter keeps what is there, Ctrl+C changes nothing. Run it again at any time.`;

await runCommand(
  createCommand('setup', about, [''])
    .option('--dns <address[:port]>', "use this name server instead of the system's", readEndpoint)
    .action(async ({ dns }) => {
      if (!isInteractive() || outputWidth() === undefined)
        exitWithError(
          'npm run setup asks questions, and this is not a terminal.',
          'Open a terminal in the folder of the site and run it there, or edit the files: .env.example explains each setting,',
          'docs/owner/editing.md the files in content/.',
        );
      const ended = await runSetup({ folder: root, streams: promptStreams, dns: createOwnerDns(dns) });
      if (ended === 'cancelled') process.exitCode = 130;
    }),
);

function readEndpoint(given: string): Endpoint {
  const endpoint = parseEndpoint(given);
  if (!endpoint) throw new InvalidArgumentError(expectedEndpoint);
  return endpoint;
}
