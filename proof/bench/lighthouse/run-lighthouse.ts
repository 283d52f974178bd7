import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { findBrowser } from '../../../tests/harness/find-browser.ts';
import { print } from '../options.ts';

export const devices = ['mobile', 'desktop'] as const;
export type Device = (typeof devices)[number];

export const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
export type Category = (typeof categories)[number];

export type Metric = Category | 'lcp' | 'tbt' | 'cls';
export type LighthouseRun = Record<Metric, number> & { browser: string };
export type Browser = Awaited<ReturnType<typeof findBrowser>>;

const program = resolve(import.meta.dirname, '../../node_modules/lighthouse/cli/index.js');
/** What a container needs. Everything else is Lighthouse's default. */
const chromeFlags = '--headless --no-sandbox';

export type Setup = { device: Device; browser: Browser; flags: string[] };

/** The released command-line tool, as anyone runs it: `lighthouse URL`, and `--preset=desktop`. A run that fails is repeated. */
export async function runLighthouse(url: string, setup: Setup, tries = 3): Promise<LighthouseRun> {
  const { device, browser, flags } = setup;
  const preset = device === 'desktop' ? ['--preset=desktop'] : [];
  const how = [...preset, ...flags, '--output=json', '--quiet', `--chrome-flags=${chromeFlags}`];
  const args = [program, url, ...how];
  const run = promisify(execFile)(process.execPath, args, {
    env: { ...process.env, ...browser.env, CHROME_PATH: browser.executablePath },
    maxBuffer: 100_000_000,
  });
  // With an error in its report it ends with 1, and the report may be cut off.
  const printed = await run.catch(({ stderr }: { stderr?: string }) => ({ stdout: '', stderr }));
  const {
    runtimeError,
    environment,
    categories: scores,
    audits,
  }: Report = JSON.parse(printed.stdout || '{}');
  if (runtimeError || !environment) {
    print(`Lighthouse could not read ${url}: ${runtimeError?.message ?? printed.stderr}`);
    if (tries > 1) return runLighthouse(url, setup, tries - 1);
    throw new Error(`Lighthouse could not read ${url} in three tries`);
  }
  const score = (id: Category) => Math.round((scores[id]?.score ?? Number.NaN) * 100);
  const time = (id: string) => audits[id]?.numericValue ?? Number.NaN;
  const [, version = ''] = /Chrome\/([\d.]+)/.exec(environment.hostUserAgent) ?? [];
  return {
    browser: `Chromium ${version}`,
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best-practices': score('best-practices'),
    seo: score('seo'),
    lcp: time('largest-contentful-paint'),
    tbt: time('total-blocking-time'),
    cls: time('cumulative-layout-shift'),
  };
}

type Report = {
  runtimeError?: { message: string };
  environment: { hostUserAgent: string };
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { numericValue?: number }>;
};
