import { describeOutdatedBuild } from '../../src/apps/build/fingerprint.ts';
import { dist, readConfigOrExit, root } from '../../src/apps/cli/exit-on-error.ts';
import { exitWithError, splitMessage } from '../../src/apps/cli/print.ts';
import { findCurrentBuild } from '../../src/core/http/current-build.ts';

/** Publishes before any server starts, so that ours neither builds on its measured core nor keeps the tools in memory. */
export async function ensureBuild(print: (line: string) => void): Promise<string> {
  const config = readConfigOrExit();
  const staleReason = describeOutdatedBuild(root, findCurrentBuild(dist), config);
  if (staleReason) {
    print(`Building the site (${staleReason})`);
    const { publishSite, BuildError } = await import('../../src/apps/build/publish-site.ts');
    try {
      await publishSite({ config, dist, warn: text => print(`Warning: ${text}`) });
    } catch (error) {
      if (error instanceof BuildError) exitWithError(...splitMessage(error));
      throw error;
    }
  }
  return findCurrentBuild(dist) ?? dist;
}
