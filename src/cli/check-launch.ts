import { checkLaunch, options } from './check-launch/run.ts';
import { runOnly } from './command.ts';

const usage = `npm run check-launch

  What is ready for visitors, what is missing, and why it matters. Ends with 1
  while something that must be there is missing. It sends nothing to anybody,
  and makes no database where there is none.

  --dns ADDRESS[:PORT]       ask this name server instead of the machine's own
  --connect ADDRESS[:PORT]   look for the site there, whatever its name
                             resolves to: before you move the name
  --json                     print JSON
  --help                     print this
`;

await runOnly({
  name: 'check-launch',
  usage,
  options,
  verb: { runApart: checkLaunch, most: 0, options: ['dns', 'connect'] },
});
