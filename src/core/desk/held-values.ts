import { randomBytes } from 'node:crypto';

/**
 * What a form sent and no URL may contain, such as an email address: the URL has a random id instead.
 * Kept in memory, the newest few, so that it is in no browser history and ends with the process.
 */
export function createHeldValues<Value>(max = 50) {
  const values = new Map<string, Value>();
  return {
    add(value: Value): string {
      const id = randomBytes(9).toString('base64url');
      values.set(id, value);
      const [oldest] = values.keys();
      if (values.size > max && oldest !== undefined) values.delete(oldest);
      return id;
    },
    get: (id: string): Value | undefined => values.get(id),
    replace: (id: string, value: Value): void => void values.set(id, value),
  };
}
