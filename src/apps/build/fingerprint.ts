import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hash, hashFolder } from '../../core/hash-folder.ts';
import type { PageSettings } from '../../ui/page-settings.ts';
import { type BuildConfig, pageSettings } from './create-page-settings.ts';

export type Fingerprint = PageSettings & { sources: string; content: string; lockfile: string; HSTS: string };

export const fingerprintFile = 'build.json';

function readFingerprint(outDir: string): Fingerprint | undefined {
  try {
    return JSON.parse(readFileSync(join(outDir, fingerprintFile), 'utf8'));
  } catch {
    return undefined;
  }
}

export function computeFingerprint(root: string, config: BuildConfig): Fingerprint {
  return {
    sources: hashFolder(join(root, 'src'), file => isSource(file) && !isOfDesk(file)),
    // A file system or an editor may leave hidden files.
    content: hashFolder(join(root, 'content'), file => !/\/\./.test(file)),
    lockfile: hashLockfile(root),
    ...pageSettings(config),
    HSTS: config.contactEndpoint ? (config.hsts ?? '') : '',
  };
}

/** What the desk is made of: all sources and packages. */
export function hashSources(root: string): string {
  return hashFolder(join(root, 'src'), isSource) + hashLockfile(root);
}

function isOfDesk(file: string): boolean {
  return /^\/(apps|features\/[^/]+)\/desk\//.test(file);
}

function isSource(file: string): boolean {
  return !/\.test\.tsx?$|\.md$/.test(file);
}

function hashLockfile(root: string): string {
  const file = join(root, 'package-lock.json');
  return existsSync(file) ? hash([readFileSync(file)]) : '';
}

const described: Partial<Record<keyof Fingerprint, string>> = {
  sources: 'the program has changed',
  content: 'content/ has changed',
  lockfile: 'the installed packages have changed',
};

export type BuildDifference = { name: keyof Fingerprint | 'build'; text: string };

export function listBuildDifferences(
  root: string,
  build: string | undefined,
  config: BuildConfig,
): BuildDifference[] {
  const built = build && readFingerprint(build);
  if (!built) return [{ name: 'build', text: 'there is no build yet' }];
  const wanted = computeFingerprint(root, config);
  return (
    (Object.keys(wanted) as (keyof Fingerprint)[])
      // A build of an older version lacks settings that are new.
      .filter(name => (built[name] ?? '') !== wanted[name])
      .map(name => {
        const changed = `${name} is ${wanted[name] || 'not set'} and was ${built[name] || 'not set'}`;
        return { name, text: described[name] ?? changed };
      })
  );
}

/** Such as 'content/ has changed, SITE_URL is https://b.example and was https://a.example'. */
export function describeOutdatedBuild(...of: Parameters<typeof listBuildDifferences>): string | undefined {
  const differences = listBuildDifferences(...of);
  return differences.length > 0 ? differences.map(({ text }) => text).join(', ') : undefined;
}
