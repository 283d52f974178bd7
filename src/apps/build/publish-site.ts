import { randomBytes } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { type Clock, systemClock } from '../../core/clock.ts';
import { trySqliteLock } from '../../core/database/sqlite-lock.ts';
import { buildsFolder, currentLink, findCurrentBuild } from '../../core/http/current-build.ts';
import { BuildError, type BuildStep, buildSite } from './build-site.ts';
import type { BuildConfig } from './create-page-settings.ts';

export { BuildError };

type PublishOptions = {
  config: BuildConfig;
  dist: string;
  clock?: Clock;
  warn(text: string): void;
  onStep?(step: BuildStep): void;
  /** Asked once no other process can publish: another one may have done the work meanwhile. */
  isNeeded?(current: string | undefined): boolean;
  lockTimeoutMs?: number;
};

export class PublishInProgressError extends BuildError {}

const lockFile = 'publish.lock';
const sqliteFull = 13;
const defaultLockTimeoutMs = 120_000;

/** Builds beside the current build and swaps them in one step. Returns whether it published. */
export async function publishSite(options: PublishOptions): Promise<boolean> {
  try {
    return await publish(options);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    throw new BuildError({
      reason: `the disk of ${options.dist} is full. Nothing was published, and the site is as it was; free some space and publish again`,
    });
  }
}

async function publish({
  config,
  dist,
  clock = systemClock,
  warn,
  onStep,
  isNeeded = () => true,
  lockTimeoutMs = defaultLockTimeoutMs,
}: PublishOptions): Promise<boolean> {
  createDist(dist);
  using lock = trySqliteLock(join(dist, lockFile), lockTimeoutMs);
  if (!lock)
    throw new PublishInProgressError({
      reason: 'another process is publishing; try again when it has finished',
    });
  const current = findCurrentBuild(dist);
  if (!isNeeded(current)) return false;
  const name = `${clock.now().toISOString().replace(/\D/g, '')}-${randomBytes(3).toString('hex')}`;
  await buildSite({
    config,
    outDir: join(dist, buildsFolder, name),
    clock,
    warn,
    ...(onStep && { onStep }),
    ...(current && { previousBuild: current }),
  });
  swap(dist, name);
  deleteOldBuilds(dist, [name, basename(current ?? '')], warn);
  return true;
}

/** Of the system, of SQLite (SQLITE_FULL) for the lock, and of the bundler, which has it as text in an error of its own. */
function isDiskFull(error: unknown): boolean {
  const { code, errcode, message } = error as NodeJS.ErrnoException & { errcode?: number };
  return (
    code === 'ENOSPC' ||
    code === 'EDQUOT' ||
    (code === 'ERR_SQLITE_ERROR' && errcode === sqliteFull) ||
    /\(os error (28|122)\)/.test(String(message))
  );
}

/** Also checks every path that a publish writes to: an earlier publish by root leaves files that this user cannot change. */
function createDist(dist: string): void {
  const written = [dist, join(dist, buildsFolder), join(dist, lockFile)];
  try {
    mkdirSync(join(dist, buildsFolder), { recursive: true });
    for (const path of written.filter(path => existsSync(path))) accessSync(path, constants.W_OK);
  } catch (error) {
    const { code, path = dist } = error as NodeJS.ErrnoException;
    throw new BuildError({
      reason: `cannot write to ${path} (${code}). Run this as the user that it belongs to, or allow it: docs/engineer/deploy.md says how`,
    });
  }
}

/** The rename replaces the link in one step. */
function swap(dist: string, name: string): void {
  const link = join(dist, `${currentLink}-${name}`);
  symlinkSync(join(buildsFolder, name), link);
  renameSync(link, join(dist, currentLink));
}

/** The replaced build stays until the next publish: a process that starts now may be reading it. */
function deleteOldBuilds(dist: string, kept: string[], warn: (text: string) => void): void {
  const old = readdirSync(join(dist, buildsFolder)).filter(name => !kept.includes(name));
  for (const path of old.map(name => join(buildsFolder, name))) {
    try {
      rmSync(join(dist, path), { recursive: true, force: true });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      warn(`the earlier build ${join(dist, path)} cannot be deleted (${code}); delete it as its owner`);
    }
  }
}
