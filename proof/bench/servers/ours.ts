import { join, resolve } from 'node:path';
import { loadEnvironment } from '../../../src/core/settings/environment.ts';
import { startOnPrintedPort } from '../child.ts';
import type { Place } from '../cores.ts';

export type BenchServer = { name: string; pid: number; port: number; stop(): Promise<void> };

export type Setting = {
  /** Temporary, removed at the end. */
  folder: string;
  /** The built files with their .gz siblings. */
  site: string;
  place: Place;
};

const root = resolve(import.meta.dirname, '../../..');

/** The real thing, as `npm start` runs it, on a free port and with data of its own; or another script that does so. */
export async function startOurs(
  { folder, place }: Pick<Setting, 'folder' | 'place'>,
  env: Record<string, string> = {},
  command = ['src/apps/cli/start.ts'],
): Promise<BenchServer> {
  const running = await startOnPrintedPort(
    place,
    [process.execPath, ...command],
    {
      cwd: root,
      env: {
        ...loadEnvironment(),
        PORT: '0',
        HOST: '127.0.0.1',
        DATA_DIR: join(folder, 'data'),
        DATABASE_URL: '',
        DRAIN_MS: '0',
        LOG_LEVEL: 'info',
        ...env,
      },
    },
    /The site is at http:\/\/localhost:(\d+)/,
  );
  return { name: 'ours', ...running };
}
