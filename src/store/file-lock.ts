import { DatabaseSync } from 'node:sqlite';

/** The operating system releases it with the process, so a crash leaves no lock behind. Undefined while another holds it. */
export function tryFileLock(file: string, timeoutMs = 0): Disposable | undefined {
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
