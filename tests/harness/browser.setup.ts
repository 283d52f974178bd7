import { findBrowser } from './find-browser.ts';

/** Before the files that run at once ask for it: each would unpack one of its own. */
export default async function setup() {
  await findBrowser();
}
