import { existsSync } from 'node:fs';
import { withTimeout } from '../lib/clock.ts';
import { errorFields, type Log } from '../lib/log.ts';
import { databaseFile } from '../store/sqlite.ts';
import type { Config } from './config.ts';

export type Readiness = ReturnType<typeof createReadiness>;

const keptMs = 1000;
const patienceMs = 2000;

/** Asks the store at most once a second. */
export function createReadiness(assertWritable: () => Promise<void>, log: Log) {
  let isLeaving = false;
  let asked: { at: number; answer: Promise<boolean> } | undefined;

  async function ask(): Promise<boolean> {
    try {
      await withTimeout(patienceMs, assertWritable());
      return true;
    } catch (error) {
      log.error('store not writable', errorFields(error));
      return false;
    }
  }

  return {
    async isReady(): Promise<boolean> {
      if (isLeaving) return false;
      const now = performance.now();
      if (!asked || now - asked.at > keptMs) asked = { at: now, answer: ask() };
      const answer = await asked.answer;
      return answer && !isLeaving;
    },
    /** A write has failed: not ready until one succeeds. */
    doubt() {
      asked = { at: performance.now(), answer: Promise.resolve(false) };
    },
    leave() {
      isLeaving = true;
    },
  };
}

/** PostgreSQL reports a missing database itself. */
export function findMissingDatabase({ databaseUrl, dataDir }: Config): string | undefined {
  const file = databaseFile(dataDir);
  return databaseUrl || existsSync(file) ? undefined : file;
}
