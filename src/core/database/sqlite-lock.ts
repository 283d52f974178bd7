import { DatabaseSync } from 'node:sqlite';

/** An exclusive transaction on an empty SQLite file, which the operating system releases with the process. Undefined while another process has it. */
export function trySqliteLock(file: string, timeoutMs = 0): Disposable | undefined {
  const lock = new DatabaseSync(file, { timeout: timeoutMs });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) return undefined;
    throw error;
  }
  return { [Symbol.dispose]: () => lock.close() };
}

const sqliteBusy = 5;
