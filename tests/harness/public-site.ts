import { join } from 'node:path';
import { describeOutdatedBuild } from '../../src/build/fingerprint.ts';
import { root, startSite, type TestSite } from './site.ts';

export const publicUrl = 'https://www.example.com';
const outDir = join(root, '.cache/test-dist-public');

type BuildConfig = Parameters<typeof describeOutdatedBuild>[2];

/** Builds the site for these settings, unless the build that is there was made for them from the same sources. */
export async function ensureBuild(folder: string, config: BuildConfig): Promise<void> {
  if (!describeOutdatedBuild(root, folder, config)) return;
  const { buildSite } = await import('../../src/build/build-site.ts');
  await buildSite({ config, outDir: folder, print: () => undefined });
}

/** The site built for a public URL. */
export async function buildPublicSite(): Promise<string> {
  await ensureBuild(outDir, { siteUrl: publicUrl });
  return outDir;
}

/** That build on a free port, where it answers any host name. */
export async function startPublicSite(): Promise<TestSite> {
  return startSite({}, {}, await buildPublicSite());
}
