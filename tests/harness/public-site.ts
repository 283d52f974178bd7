import { join } from 'node:path';
import { findStaleReason } from '../../src/build/fingerprint.ts';
import { root, startSite, type TestSite } from './site.ts';

export const publicUrl = 'https://www.example.com';
const outDir = join(root, '.cache/test-dist-public');

/** The site built for a public URL, cached until its sources change. */
export async function buildPublicSite(): Promise<string> {
  const config = { siteUrl: publicUrl };
  if (findStaleReason(root, outDir, config)) {
    const { buildSite } = await import('../../src/build/build-site.ts');
    await buildSite({ config, outDir, print: () => undefined });
  }
  return outDir;
}

/** That build on a free port, where it answers any host name. */
export async function startPublicSite(): Promise<TestSite> {
  return startSite({}, {}, await buildPublicSite());
}
