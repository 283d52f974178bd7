import { existsSync } from 'node:fs';
import { compileCache } from './command.ts';
import { copyProject } from './process.ts';

/** Node writes its compile cache only when a process exits by itself; most tested processes are killed. */
export default async function setup() {
  if (existsSync(compileCache.NODE_COMPILE_CACHE)) return;
  await using copy = copyProject();
  const server = copy.start();
  await server.address();
  server.child.kill('SIGTERM');
  await server.ended;
}
