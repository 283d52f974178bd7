import { findStaleReason } from '../../src/build/fingerprint.ts';
import { buildPublicSite } from './public-site.ts';
import { builtSite, root } from './site.ts';

let building: Promise<unknown> | undefined;

/** Every suite runs on the real build of these sources, made with and without a public address, once for all projects. */
export default async function setup() {
  building ??= ensureBuild().then(buildPublicSite);
  await building;
}

async function ensureBuild(): Promise<void> {
  const config = { siteUrl: undefined };
  if (!findStaleReason(root, builtSite, config)) return;
  // To load what builds takes longer than to see that nothing is to be built.
  const { buildSite } = await import('../../src/build/build-site.ts');
  await buildSite({ config, outDir: builtSite, print: line => process.stdout.write(`${line}\n`) });
}
