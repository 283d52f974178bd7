import { withTimeout } from '../../lib/with-timeout.ts';
import { errorFields, type Log } from '../log.ts';

export type Readiness = ReturnType<typeof createReadiness>;

const cacheMs = 1000;
const timeoutMs = 2000;

export function createReadiness(assertWritable: () => Promise<void>, log: Log) {
  let isShuttingDown = false;
  let lastCheck: { at: number; isWritable: Promise<boolean> } | undefined;

  async function check(): Promise<boolean> {
    try {
      await withTimeout(timeoutMs, assertWritable());
      return true;
    } catch (error) {
      log.error('store not writable', errorFields(error));
      return false;
    }
  }

  return {
    async isReady(): Promise<boolean> {
      if (isShuttingDown) return false;
      const now = performance.now();
      if (!lastCheck || now - lastCheck.at > cacheMs) lastCheck = { at: now, isWritable: check() };
      const isWritable = await lastCheck.isWritable;
      return isWritable && !isShuttingDown;
    },
    markNotReady() {
      lastCheck = { at: performance.now(), isWritable: Promise.resolve(false) };
    },
    startShutdown() {
      isShuttingDown = true;
    },
  };
}
