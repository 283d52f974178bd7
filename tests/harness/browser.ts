import { existsSync } from 'node:fs';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

const systemBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** A real Chromium: the system's where there is one, the npm one otherwise, or the one that BROWSER names. */
export async function launchBrowser(options: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: await findBrowser(process.env.BROWSER),
    ...options,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...(options.args ?? []),
    ],
  });
}

export async function findBrowser(wanted: string | undefined): Promise<string> {
  const system = systemBrowsers.find(path => existsSync(path));
  if (wanted === 'system') {
    if (system) return system;
    throw new Error(`BROWSER=system, but there is no Chromium at ${systemBrowsers.join(', ')}`);
  }
  if (wanted !== undefined && wanted !== 'npm')
    throw new Error(`BROWSER is '${wanted}', expected system or npm`);
  return wanted === undefined && system ? system : npmBrowser();
}

async function npmBrowser(): Promise<string> {
  // Read by the package when it is imported: it then unpacks the libraries that a bare machine lacks.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x';
  const { default: packaged } = await import('@sparticuz/chromium');
  return packaged.executablePath();
}
