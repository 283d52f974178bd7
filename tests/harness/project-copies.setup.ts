import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { compileCache } from './command.ts';
import { copyProject } from './process.ts';
import { provide } from './provided-context.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    projectCopies: string;
  }
}

/** One folder for all copies of the project that are made in this run. */
export default async function setup(project: TestProject) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'wardhouse-copies-')));
  project.provide('projectCopies', folder);
  provide({ projectCopies: folder });
  if (!existsSync(compileCache.NODE_COMPILE_CACHE)) await compileServer();
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Node writes its compile cache only when a process exits by itself; most tested processes are killed. */
async function compileServer(): Promise<void> {
  await using copy = copyProject();
  const server = copy.start();
  await server.address();
  server.child.kill('SIGTERM');
  await server.ended;
}
