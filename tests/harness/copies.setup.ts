import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    copies: string;
  }
}

/** One folder for all copies of the project that are made in this run. */
export default function setup(project: TestProject) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'wardhouse-copies-')));
  project.provide('copies', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
