import { join, resolve } from 'node:path';
import { isOfServer, readLockfile } from '../build/lockfile.ts';
import { checkSupply, exitCodeOf, type Line } from './check-supply/check.ts';
import { askNpm } from './check-supply/npm.ts';
import { commonOptions, runOnly } from './command.ts';
import { note, print } from './say.ts';
import { errorWidth, outputWidth, printLines, styled, type Text } from './terminal.ts';
import { visible, wrap } from './text.ts';

const usage = `npm run check-supply

  Asks npm's registry whether it knows of a weakness in any package of
  package-lock.json, and whether it has signed each that is installed. Needs the
  network; it changes nothing.

  Ends with 0 when all was checked and nothing found, with 1 when something was
  found, with 3 when nothing was found but something could not be checked.

  --json       print JSON
  --help       print this
`;

const root = resolve(import.meta.dirname, '../..');
const colours = { clean: 'green', found: 'red', 'not checked': 'yellow' } as const;

await runOnly({
  name: 'check-supply',
  usage,
  options: commonOptions,
  verb: {
    most: 0,
    options: [],
    async runApart(_config, { values }) {
      if (errorWidth() !== undefined) note('Asking the registry; this may take a minute or two.');
      const { packages } = readLockfile(join(root, 'package-lock.json'));
      const lines = await checkSupply(askNpm, root, folder => {
        const locked = packages.get(folder);
        return locked === undefined || isOfServer(locked);
      });
      process.exitCode = exitCodeOf(lines);
      if (values.json) print(lines);
      else printLines(lines.flatMap(draw));
    },
  },
});

/** A terminal gets lines of its width, a program one line. */
function draw({ state, name, found }: Line): Text[] {
  const label = name.padEnd(12);
  const text = visible(`${state}: ${found}.`);
  const width = outputWidth();
  if (width === undefined) return [label + text];
  const [first = '', ...rest] = wrap(text, Math.max(width, 40) - label.length);
  const coloured = [label, styled(colours[state], state), first.slice(state.length)];
  return [coloured, ...rest.map(line => ' '.repeat(label.length) + line)];
}
