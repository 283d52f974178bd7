import { checkLaunch, parseEndpoint } from './check-launch/run-checks.ts';
import { createCommand, runCommand, withConfig } from './command.ts';

const about = `What is ready for visitors, what is missing, and why it matters. Ends with 1 while something that must be \
there is missing. It sends nothing to anybody, and makes no database where there is none.`;

await runCommand(
  createCommand('check-launch', about, '--connect 192.0.2.1')
    .option('--dns <address[:port]>', "ask this name server instead of the machine's own", parseEndpoint)
    .option(
      '--connect <address[:port]>',
      'look for the site there, whatever its name resolves to: before you move the name',
      parseEndpoint,
    )
    .option('--json', 'print JSON')
    .action(withConfig(checkLaunch)),
);
