import { runOnly } from './command.ts';
import { options } from './restore/call.ts';
import { restore } from './restore/run.ts';

const usage = `npm run restore -- FILE

  Fills the configured database with a backup, whichever of the two it was
  taken from and is restored into. The whole file is checked first; then all of
  it is restored, or nothing. Stop the site before, and start it after.
  Who was erased since the backup was made is left out again.

  --replace         put it in the place of what the database holds now, all of
                    which goes
  --yes             without asking
  --moved           the site was stopped before the backup was made and has
                    sent nothing since: what waits is sent as if nothing had
                    happened. Without it, what waits counts as possibly sent
  --erasures FILE   who was erased, as the machine before kept it
                    (erasures.ndjson in its data folder)
  --force           although others are connected to the database (PostgreSQL)
  --json            print JSON
  --help            print this
`;

await runOnly({
  name: 'restore',
  usage,
  options,
  verb: {
    runApart: restore,
    needs: 'a file',
    most: 1,
    options: ['replace', 'yes', 'moved', 'erasures', 'force'],
  },
});
