import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { findBrowser } from './find-browser.ts';

let shared: Promise<Browser> | undefined;

/** One for all files that a worker runs; it ends with the worker. Each test has a context of its own. */
export function shareBrowser(): Promise<Browser> {
  // Phones do not hint fonts. A headless Chromium does, which is a third of a first layout.
  shared ??= launchBrowser({ args: ['--font-render-hinting=none'] });
  return shared;
}

/** A real Chromium: the pinned one of npm where it runs, the system's elsewhere or where BROWSER says so. */
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
