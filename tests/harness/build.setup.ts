import { buildPublicSite, ensureBuild } from './public-site.ts';
import { builtSite } from './site.ts';

let building: Promise<unknown> | undefined;

/** Every suite runs on the real build of these sources, made with and without a public address, once for all projects. */
export default async function setup() {
  building ??= ensureBuild(builtSite, { siteUrl: undefined }).then(buildPublicSite);
  await building;
}
