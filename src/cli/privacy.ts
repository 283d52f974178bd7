import { runVerbs, type Verb } from './command.ts';
import { options, plainly } from './privacy/call.ts';
import { erase } from './privacy/erase.ts';
import { exportAll } from './privacy/export.ts';
import { find } from './privacy/find.ts';
import { rectify } from './privacy/rectify.ts';

const usage = `npm run privacy -- VERB ADDRESS

  find ADDRESS                  what is known of an address, and where it is
  export ADDRESS FILE           all of it as one file that the person can be
                                sent; - is standard output
  rectify ADDRESS               put right, in their messages and in every copy
                                within reach,
          --name TEXT           their name,
          --email ADDRESS       or their address; a newsletter asks the new one
                                to confirm
          [--reference R]       in this message alone
  erase ADDRESS                 remove all of it, wherever this machine and its
                                database hold it
        [--with REFERENCE …]    and this message, where the address does not
                                say that it is theirs

  --yes        do not ask first (rectify, erase)
  --force      replace a file that is there (export)
  --json       print JSON
  --help       print this

Make sure that whoever asks is who they say before you answer. What an erasure
leaves is a line without personal data; what it cannot reach, it names. Times
are in UTC.
`;

const verbs: Record<string, Verb<typeof options>> = {
  find: { run: plainly(find), needs: 'an address', most: 1, options: [] },
  export: { run: plainly(exportAll), needs: 'an address and a file', most: 2, options: ['force'] },
  rectify: {
    run: plainly(rectify),
    needs: 'an address',
    most: 1,
    options: ['name', 'email', 'reference', 'yes'],
  },
  erase: { run: plainly(erase), needs: 'an address', most: 1, options: ['with', 'yes'] },
};

await runVerbs({ usage, options, verbs });
