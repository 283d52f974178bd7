import { within } from '../lib/clock.ts';
import { errorFields, type Log } from '../lib/log.ts';

export type Readiness = {
  isReady(): Promise<boolean>;
  /** A write has failed: not ready until one succeeds. */
  doubt(): void;
  /** From now on not ready, whatever the store says: this process is about to end. */
  leave(): void;
};

const keptMs = 1000;
const patienceMs = 2000;

/** Asks the store at most once a second, however often it is asked. */
export function createReadiness(assertWritable: () => Promise<void>, log: Log): Readiness {
  let isLeaving = false;
  let asked: { at: number; answer: Promise<boolean> } | undefined;

  async function ask(): Promise<boolean> {
    try {
      await within(patienceMs, assertWritable());
      return true;
    } catch (error) {
      log.error('store not writable', errorFields(error));
      return false;
    }
  }

  return {
    async isReady() {
      if (isLeaving) return false;
      const now = performance.now();
      if (!asked || now - asked.at > keptMs) asked = { at: now, answer: ask() };
      const answer = await asked.answer;
      return answer && !isLeaving;
    },
    doubt() {
      asked = { at: performance.now(), answer: Promise.resolve(false) };
    },
    leave() {
      isLeaving = true;
    },
  };
}
