import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AskNpm, Said } from './npm.ts';
import { type Finding, type IsOfServer, notChecked, readAudit, readSignatures } from './read-answers.ts';

export type Line = Finding & { name: string };

/** Whatever an owner's npm leaves out by its settings. */
const everything = ['--include=dev', '--include=optional', '--include=peer'];

export async function checkSupply(ask: AskNpm, folder: string, isOfServer?: IsOfServer): Promise<Line[]> {
  return [
    { name: 'advisories', ...(await checkAdvisories(ask, folder, isOfServer)) },
    {
      name: 'signatures',
      ...read(await ask(['audit', 'signatures', ...everything], folder), readSignatures),
    },
  ];
}

async function checkAdvisories(ask: AskNpm, folder: string, isOfServer?: IsOfServer): Promise<Finding> {
  const audit = async (where: string) =>
    read(await ask(['audit', '--package-lock-only', ...everything], where), out =>
      readAudit(out, isOfServer),
    );
  const finding = await audit(folder);
  if (finding.state !== 'clean') return finding;
  const control = await withControl(audit);
  if (control.state === 'found') return finding;
  const why = control.state === 'clean' ? 'it knows of none' : control.found;
  return notChecked(
    `the registry names no advisory here, nor about ${known.name} ${known.version}, which has had one for years (${why})`,
  );
}

/** Mirrors of the registry exist that answer every such question with nothing. */
const known = { name: 'minimist', version: '0.0.8' };

async function withControl<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'wardhouse-supply-'));
  try {
    const root = { name: 'control', version: '1.0.0', dependencies: { [known.name]: known.version } };
    const packages = { '': root, [`node_modules/${known.name}`]: { version: known.version } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(root));
    writeFileSync(
      join(folder, 'package-lock.json'),
      JSON.stringify({
        name: root.name,
        version: root.version,
        lockfileVersion: 3,
        requires: true,
        packages,
      }),
    );
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function read(said: Said, reader: (out: string) => Finding): Finding {
  return 'unasked' in said ? notChecked(said.unasked) : reader(said.out);
}

/** Nothing found is good news only where everything was checked. */
export function exitCodeOf(lines: readonly Finding[]): 0 | 1 | 3 {
  if (lines.some(({ state }) => state === 'found')) return 1;
  return lines.every(({ state }) => state === 'clean') ? 0 : 3;
}
