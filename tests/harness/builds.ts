import { join } from 'node:path';
import { describeOutdatedBuild } from '../../src/apps/build/fingerprint.ts';
import { builtSite, root } from './site.ts';

export const publicUrl = 'https://www.example.com';
export const staticEndpoints = {
  contactEndpoint: 'https://sheets.example/api/1',
  newsletterEndpoint: 'https://letters.example/api/2',
};

/** The site with every page that a server has, for a public URL. Most tests run on it. */
export async function buildPublicSite(): Promise<string> {
  await ensureBuild(builtSite, { siteUrl: publicUrl });
  return builtSite;
}

/** The site for a host without a server, and without a public URL. */
export async function buildStaticSite(): Promise<string> {
  const outDir = join(root, '.cache/test-dist-static');
  await ensureBuild(outDir, { siteUrl: undefined, ...staticEndpoints });
  return outDir;
}

/** Builds the site for these settings, unless the build that is there was made for them from the same sources. */
async function ensureBuild(
  folder: string,
  config: Parameters<typeof describeOutdatedBuild>[2],
): Promise<void> {
  if (!describeOutdatedBuild(root, folder, config)) return;
  const { buildSite } = await import('../../src/apps/build/build-site.ts');
  await buildSite({ config, outDir: folder, warn: () => undefined });
}
