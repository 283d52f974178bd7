import { join } from 'node:path';
import { startOnPrintedPort } from '../child.ts';
import type { BenchServer, Setting } from './ours.ts';

export async function startSirv({ site, place }: Setting): Promise<BenchServer> {
  const command = [process.execPath, join(import.meta.dirname, 'sirv-server.ts'), site];
  return { name: 'sirv', ...(await startOnPrintedPort(place, command, {}, /port (\d+)/)) };
}
