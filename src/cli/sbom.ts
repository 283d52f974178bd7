import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { readLockfile } from '../build/lockfile.ts';
import { createSbom } from '../build/sbom.ts';
import type { Config } from '../server/config.ts';
import { type Call, commonOptions, refuse, runOnly } from './command.ts';
import { explainFile } from './complain.ts';
import { isStandardOutput, writeOutput } from './output.ts';
import { count, fail, note, print } from './say.ts';

const usage = `npm run sbom -- FILE

  Writes what the running server is made of into FILE: every package with its
  version, licence and hash, as CycloneDX 1.6 in JSON. '-' is standard output
  (npm run -s …). It is read from package-lock.json, needs no network, and is
  the same text on every machine.

  --all      what builds and checks the site as well
  --stamp    with the time and a number of its own, for a file you hand on
  --force    replace FILE where it is there already
  --json     print JSON
  --help     print this
`;

const options = {
  all: { type: 'boolean', default: false },
  stamp: { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
  ...commonOptions,
} as const;

const lockfilePath = resolve(import.meta.dirname, '../../package-lock.json');

await runOnly({
  name: 'sbom',
  usage,
  options,
  verb: { runApart: sbom, needs: 'a file', most: 1, options: ['all', 'stamp', 'force'] },
});

async function sbom(_config: Config, { given, values }: Call<typeof options>): Promise<void> {
  const path = given[0] as string;
  const isStandard = isStandardOutput(path);
  if (isStandard && values.json)
    refuse('Standard output is for the list itself, which is JSON: --json has no place there.');
  const written = createText(values);
  if ('mistake' in written) return fail(written.mistake);
  const mistake = await writeOutput(path, written.text, values);
  if (mistake) return fail(mistake);
  if (isStandard) return;
  if (values.json) return print({ file: path, packages: written.packages });
  note(`${path} lists ${count(written.packages, 'package')}.`);
}

function createText({ all, stamp }: { all: boolean; stamp: boolean }) {
  try {
    const lockfile = readLockfile(lockfilePath);
    const list = createSbom(lockfile, {
      name: lockfile.root.name ?? 'site',
      all,
      ...(stamp && { stamp: { serial: randomUUID(), time: new Date() } }),
    });
    return { text: `${JSON.stringify(list, null, 2)}\n`, packages: list.components.length };
  } catch (error) {
    return { mistake: `${lockfilePath} cannot be read: ${explainFile(error)}.` };
  }
}
