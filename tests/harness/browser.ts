import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { findBrowser } from './find-browser.ts';

/** No phone bends letters to its pixels. A headless Chromium does, which is a third of a first layout. */
export const phoneLetters = ['--font-render-hinting=none'];

/** A real Chromium: the pinned one of npm where it runs, Debian's or the system's elsewhere or where BROWSER says so. */
export async function launchBrowser(options: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({
    ...(await findBrowser()),
    ...options,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // One process less to hand every request and answer on to: an eighth of the work of a page.
      '--enable-features=NetworkServiceInProcess2',
      ...(options.args ?? []),
    ],
  });
}
