import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
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

function findSystemBrowser(): string | undefined {
  return systemBrowsers.find(path => existsSync(path));
}

/** Headless shells, which open pages twice as fast as a desktop Chromium. */
const shells = {
  npm: { program: 'chromium', libraries: ['al2023/lib'], complete: async () => undefined },
  debian: {
    program: 'debian/usr/lib/chromium/chromium-headless-shell',
    libraries: ['debian/usr/lib/*-linux-gnu', 'debian/usr/lib/*-linux-gnu/pulseaudio'],
    complete: addDebian,
  },
};

export async function findBrowser(wanted = process.env.BROWSER ?? fitting()): Promise<Found> {
  if (wanted === 'npm' || wanted === 'debian') return unpackShell(wanted);
  if (wanted !== 'system') throw new Error(`BROWSER is '${wanted}', expected npm, debian or system`);
  const system = findSystemBrowser();
  if (system) return { executablePath: system };
  throw new Error(`There is no Chromium at ${systemBrowsers.join(', ')}`);
}

/** The package's is for one kind of processor. */
function fitting(): string {
  if (process.platform !== 'linux') return 'system';
  if (process.arch === 'x64') return 'npm';
  return existsSync('/usr/bin/apt-get') ? 'debian' : 'system';
}

/**
 * The package unpacks itself into a temporary folder that all users and versions share. Here it gets its own folder,
 * which is either complete or missing. Its fonts serve both shells.
 */
async function unpackShell(kind: keyof typeof shells): Promise<Found> {
  const manifest = join(root, 'node_modules/@sparticuz/chromium/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const home = join(root, '.cache', `chromium-${version}-${kind}`);
  const { program, libraries, complete } = shells[kind];
  if (!existsSync(home)) {
    mkdirSync(dirname(home), { recursive: true });
    const work = mkdtempSync(`${home}.`);
    try {
      const script = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";
      // The runtime's name makes the package bring the libraries that a bare machine lacks.
      const env = { ...process.env, TMPDIR: work, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' };
      await run(process.execPath, ['--input-type=module', '-e', script], { cwd: root, env });
      await complete(work);
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
    executablePath: join(home, program),
    env: {
      ...process.env,
      FONTCONFIG_FILE: join(home, 'fonts.conf'),
      XDG_CACHE_HOME: home,
      LD_LIBRARY_PATH: globSync(libraries.map(folder => join(home, folder))).join(':'),
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

/**
 * Debian's build with the libraries that this machine lacks, from its apt sources. It is unpacked into our folder, which
 * needs no root, and replaces the package's program, which is for other processors.
 */
async function addDebian(work: string): Promise<void> {
  process.stdout.write(
    "no Chromium in npm for this processor: fetching Debian's headless one, once (about 95 MB)\n",
  );
  const lists = join(work, 'lists');
  const archives = join(work, 'archives');
  for (const folder of [lists, archives]) mkdirSync(join(folder, 'partial'), { recursive: true });
  const options = {
    'Dir::State::lists': lists,
    'Dir::Cache': work,
    'Dir::Cache::archives': archives,
    'Debug::NoLocking': '1',
    'APT::Sandbox::User': 'root',
    'APT::Update::Error-Mode': 'any',
  };
  const apt = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  // What is installed already must be fetched too: it lies elsewhere, and the program looks beside itself.
  const parts = ['chromium-headless-shell', 'chromium-common'];
  try {
    await run('apt-get', [...apt, 'update']);
    await run('apt-get', [
      ...apt,
      'install',
      '--reinstall',
      '--download-only',
      '--no-install-recommends',
      '--yes',
      ...parts,
    ]);
    for (const archive of globSync(join(archives, '*.deb')))
      await run('dpkg-deb', ['--extract', archive, join(work, 'debian')]);
  } catch (error) {
    throw new Error('Fetching it failed: install a Chromium by hand, and set BROWSER=system', {
      cause: error,
    });
  }
  for (const name of ['lists', 'archives', 'chromium', 'al2023'])
    await rm(join(work, name), { recursive: true });
}
