import { existsSync } from 'node:fs';
import { findBrowser } from '../../tests/harness/find-browser.ts';
import { launchPuppeteer } from './puppeteer.ts';
import { launchWebkit, webkitPrograms } from './webkit.ts';

/** What a journey needs of a browser with one open page. */
export type Driver = AsyncDisposable & {
  version: string;
  /** Errors and warnings of the page, where the browser tells them. */
  problems: string[];
  /** Returns when the page has loaded. */
  goto(url: string): Promise<unknown>;
  /** The value of an expression in the page; of a promise, what it resolves to. */
  evaluate<T>(expression: string): Promise<T>;
  /** In pixels from the top left corner of the viewport. */
  moveMouse(x: number, y: number): Promise<unknown>;
  pressMouse(): Promise<unknown>;
  releaseMouse(): Promise<unknown>;
  /** Where the mouse is, in pixels. */
  turnWheel(deltaX: number, deltaY: number): Promise<unknown>;
  type(text: string): Promise<unknown>;
  pressKey(key: Key): Promise<unknown>;
  /** The viewport; a browser may refuse to be as narrow. */
  resize(width: number, height: number): Promise<unknown>;
};

export type Key = 'ArrowLeft' | 'ArrowRight' | 'Enter' | 'Escape';

type BrowserOfProof = {
  name: string;
  /** What to install where there is none. */
  packages: string;
  isInstalled: boolean;
  launch(): Promise<Driver>;
};

const firefox = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find(path => existsSync(path));

export const browsers: BrowserOfProof[] = [
  {
    name: 'Chromium',
    packages: 'none: npm brings it',
    isInstalled: true,
    launch: async () => launchPuppeteer('chrome', await findBrowser()),
  },
  {
    name: 'Firefox',
    packages: 'firefox-esr',
    isInstalled: firefox !== undefined,
    launch: () => launchPuppeteer('firefox', { executablePath: firefox ?? '' }),
  },
  {
    name: 'WebKitGTK',
    packages: 'webkit2gtk-driver xvfb',
    isInstalled: webkitPrograms.every(path => existsSync(path)),
    launch: launchWebkit,
  },
];
