import { resolve } from 'node:path';
import { findStaleReason } from '../../src/build/fingerprint.ts';
import { readConfigOrExit } from '../../src/cli/exit-on-error.ts';
import { exitWithError, splitMessage } from '../../src/cli/print.ts';

const root = resolve(import.meta.dirname, '../..');

/** Builds before any server starts, so that ours neither builds on its measured core nor keeps the tools in memory. */
export async function ensureBuild(outDir: string, print: (line: string) => void): Promise<void> {
  const config = readConfigOrExit();
  const misfit = findStaleReason(root, outDir, config);
  if (!misfit) return;
  print(`Building the site (${misfit})`);
  const { buildSite, BuildError } = await import('../../src/build/build-site.ts');
  try {
    await buildSite({ config, outDir, print });
  } catch (error) {
    if (error instanceof BuildError) exitWithError(...splitMessage(error));
    throw error;
  }
}
