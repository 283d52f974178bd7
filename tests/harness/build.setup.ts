import { buildPublicSite } from './builds.ts';

let building: Promise<unknown> | undefined;

/** Every suite runs on the real build of these sources, made once for all projects. */
export default async function setup() {
  building ??= buildPublicSite();
  await building;
}
