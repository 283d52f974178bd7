import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startOnPrintedPort } from '../child.ts';
import type { Setting, Started } from './server.ts';

const manifest = resolve(import.meta.dirname, '../../node_modules/sirv/package.json');

export async function startSirv({ site, place }: Setting): Promise<Started> {
  const running = await startOnPrintedPort(
    place,
    [process.execPath, join(import.meta.dirname, 'sirv-server.ts'), site],
    {},
    /port (\d+)/,
  );
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'));
  return { name: 'sirv', version, ...running };
}
