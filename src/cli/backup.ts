import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { writeBackup } from '../domain/backup/write-backup.ts';
import type { Wired } from '../server/wire.ts';
import { type Call, commonOptions, refuse, runOnly } from './command.ts';
import { isStandardOutput, writeOutput } from './output.ts';
import { createProgress, type Progress } from './progress.ts';
import { describeCounts, readableSize } from './restore/describe.ts';
import { fail, note, print } from './say.ts';

const usage = `npm run backup -- FILE

  Writes everything the database holds into FILE, as it is at this moment,
  while the site goes on: lines of JSON, compressed where FILE ends in .gz;
  '-' is standard output (npm run -s …). The same for both databases.
  npm run restore -- FILE brings it back.

  The file holds what visitors wrote, and the keys of links in newsletters:
  keep it as you would keep the database. Copies in sheets, in mails and in
  files of the data folder are not in it.

  --force    replace FILE where it is there already
  --json     print JSON
  --help     print this
`;

const options = { force: { type: 'boolean', default: false }, ...commonOptions } as const;

await runOnly({
  name: 'backup',
  usage,
  options,
  verb: { run: backup, needs: 'a file', most: 1, options: ['force'] },
});

async function backup({ store, clock }: Wired, { given, values }: Call<typeof options>): Promise<void> {
  const path = given[0] as string;
  const isStandard = isStandardOutput(path);
  if (isStandard && values.json)
    refuse('Standard output is for the backup itself: --json has no place there.');
  const madeAt = clock.now().toISOString();
  let counts: Record<string, number> = {};
  let progress: Progress | undefined;
  let isWhole = false;

  async function* parts() {
    yield* writeBackup(
      { dump: store.dump, clock },
      {
        begin(found) {
          counts = found;
          progress = createProgress(
            'rows written',
            Object.values(found).reduce((sum, one) => sum + one, 0),
          );
        },
        progress: rows => progress?.draw(rows),
      },
    );
  }
  async function* untilEnd(written: AsyncIterable<Uint8Array>) {
    yield* written;
    isWhole = true;
  }

  const written = untilEnd(path.endsWith('.gz') ? compressed(parts()) : parts());
  const mistake = await writeOutput(path, written, values).finally(() => progress?.clear());
  if (mistake) return fail(mistake);
  if (!isWhole) return fail('Whoever read the backup stopped before its end: it is not whole.');
  await store.outbox.noteDone('backup', madeAt);
  if (isStandard) return note(`The backup holds ${describeCounts(counts)}.`);
  const { size: bytes } = await stat(path);
  if (values.json) return print({ file: path, bytes, madeAt, counts });
  note(`${path} (${readableSize(bytes)}) holds ${describeCounts(counts)}.`);
}

async function* compressed(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gzip = createGzip();
  const fed = pipeline(parts, gzip);
  // What fails there fails here as well, where it is waited for.
  fed.catch(() => undefined);
  yield* gzip as AsyncIterable<Uint8Array>;
  await fed;
}
