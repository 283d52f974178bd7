import { checkLaunch } from './check-launch/run-checks.ts';
import { createCommand, runCommand, withConfig } from './command.ts';
import { parseEndpoint } from './owner-network.ts';

const about = `Checks whether the site is ready for visitors, and explains what is missing. Exit code 1 if a required \
check fails. It sends no messages and creates no database.`;

await runCommand(
  createCommand('check-launch', about, '--connect 192.0.2.1')
    .option('--dns <address[:port]>', "use this name server instead of the system's", parseEndpoint)
    .option(
      '--connect <address[:port]>',
      'connect to the site at this address, before its DNS record is changed',
      parseEndpoint,
    )
    .option('--json', 'print JSON')
    .action(withConfig(checkLaunch)),
);
