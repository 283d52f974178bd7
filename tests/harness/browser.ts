import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/**
 * The same one on an address of its own, with nobody who watches: a page that is watched is never prepared ahead of a
 * click. What it does must be seen by the server that it asks.
 */
export async function openUnwatched(address: string, options: string[]): Promise<AsyncDisposable> {
  const { executablePath, env } = await findBrowser();
  const profile = mkdtempSync(join(tmpdir(), 'wardhouse-browser-'));
  const common = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--remote-debugging-port=0',
  ];
  const args = [...common, `--user-data-dir=${profile}`, ...options, address];
  const child = spawn(executablePath, args, { env: env ?? process.env, stdio: 'ignore' });
  const ended = new Promise(resolve => child.once('exit', resolve));
  return {
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
