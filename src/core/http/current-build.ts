import { existsSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { errorFields, type Log } from '../log.ts';
import type { HeaderSettings } from './headers.ts';
import { type Files, fileTable, loadFiles } from './static-files.ts';

/** dist/builds/ holds complete builds; the link dist/current names the one that is served. */
export const buildsFolder = 'builds';
export const currentLink = 'current';

const pollMs = 2000;

/** The link is resolved, so a publish does not change what a reader of the folder sees. */
export function findCurrentBuild(dist: string): string | undefined {
  try {
    const build = join(dist, readlinkSync(join(dist, currentLink)));
    return existsSync(join(build, fileTable)) ? build : undefined;
  } catch {
    return undefined;
  }
}

/** A copy of content/ in each build: mails follow what is published, also while content/ is being edited. */
export const publishedContent = 'content';

/** The folder of a build that holds what the server runs. */
export const serverFolder = 'server';

export function findPublishedContent(root: string): string {
  return join(findCurrentBuild(join(root, 'dist')) ?? root, publishedContent);
}

type Options = { dist: string; settings: HeaderSettings; log: Log; onChange?(build: string): void };

/** Serves the current build, and another one as soon as it is published. A build that cannot be read changes nothing. */
export function followCurrentBuild({ dist, settings, log, onChange }: Options): Files & Disposable {
  let build = findCurrentBuild(dist);
  let files = loadFiles(build ?? dist, settings);

  function poll(): void {
    const found = findCurrentBuild(dist);
    if (!found || found === build) return;
    build = found;
    try {
      files = loadFiles(found, settings);
    } catch (error) {
      log.error('new build not loaded', { build: found, ...errorFields(error) });
      return;
    }
    log.info('new build loaded', { build: found });
    onChange?.(found);
  }

  const timer = setInterval(poll, pollMs).unref();
  return {
    get: path => files.get(path),
    canonical: path => files.canonical(path),
    get notFound() {
      return files.notFound;
    },
    get baseHeaders() {
      return files.baseHeaders;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
