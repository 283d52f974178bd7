import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const pictures = resolve(import.meta.dirname, '../../../.cache/pictures');

/** A digest of what is drawn and of how: with either, another picture. */
export function keyOf(...parts: unknown[]): string {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(typeof part === 'string' ? part : JSON.stringify(part)).update('\0');
  return sum.digest('hex').slice(0, 24);
}

/** What was drawn before under this key, or what is drawn now: a second build draws nothing again. */
export async function keepDrawn(
  key: string,
  draw: () => Promise<Buffer>,
  folder = pictures,
): Promise<Buffer> {
  const file = join(folder, key);
  if (existsSync(file)) return readFileSync(file);
  const drawn = await draw();
  mkdirSync(folder, { recursive: true });
  // Another build may be writing the same: a name is only ever given to a whole file.
  const part = `${file}.${randomUUID()}`;
  writeFileSync(part, drawn);
  renameSync(part, file);
  return drawn;
}
