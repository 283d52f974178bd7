import { resolve } from 'node:path';
import type { ViteDevServer } from 'vite';

/** Under the dev server, a change in a folder that Vite knows nothing of makes every page anew. */
export function reloadOnChange(server: ViteDevServer, folder: string): void {
  server.watcher.add(folder);
  server.watcher.on('all', (_event, file) => {
    if (!resolve(file).startsWith(folder)) return;
    for (const environment of Object.values(server.environments)) {
      environment.moduleGraph.invalidateAll();
      environment.hot.send({ type: 'full-reload' });
    }
  });
}
