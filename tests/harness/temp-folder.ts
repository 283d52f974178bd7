import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new folder, deleted when the running test ends. */
export function createTempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wardhouse-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
