import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './site.ts';

const run = promisify(execFile);

/** Where a Chromium is, and what it must find around it. */
type Found = { executablePath: string; env?: Record<string, string | undefined> };

const systemBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

export async function findBrowser(wanted = process.env.BROWSER ?? fitting()): Promise<Found> {
  if (wanted === 'npm') return unpackShell();
  if (wanted !== 'system') throw new Error(`BROWSER is '${wanted}', expected npm or system`);
  const system = systemBrowsers.find(path => existsSync(path));
  if (system) return { executablePath: system };
  throw new Error(`There is no Chromium at ${systemBrowsers.join(', ')}: install one`);
}

/** The package's is for one kind of processor. */
function fitting(): string {
  return process.platform === 'linux' && process.arch === 'x64' ? 'npm' : 'system';
}

/**
 * The package unpacks itself into a temporary folder that all users and versions share. Here it gets its own folder,
 * which is either complete or missing.
 */
async function unpackShell(): Promise<Found> {
  const manifest = join(root, 'node_modules/@sparticuz/chromium/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const home = join(root, '.cache', `chromium-${version}-npm`);
  if (!existsSync(home)) {
    mkdirSync(dirname(home), { recursive: true });
    const work = mkdtempSync(`${home}.`);
    try {
      const script = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";
      // The runtime's name makes the package bring the libraries that a bare machine lacks.
      const env = { ...process.env, TMPDIR: work, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' };
      await run(process.execPath, ['--input-type=module', '-e', script], { cwd: root, env });
      await writeFile(join(work, 'fonts.conf'), fonts);
      // Another process may have been first; its copy is as good.
      await rename(work, home).catch(error => {
        if (!existsSync(home)) throw error;
      });
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }
  return {
    executablePath: join(home, 'chromium'),
    env: {
      ...process.env,
      FONTCONFIG_FILE: join(home, 'fonts.conf'),
      XDG_CACHE_HOME: home,
      LD_LIBRARY_PATH: join(home, 'al2023/lib'),
    },
  };
}

/** The package looks for its fonts where it would have unpacked them; a Chromium that finds none at all crashes. */
const fonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fonts-cache</cachedir>
</fontconfig>
`;
