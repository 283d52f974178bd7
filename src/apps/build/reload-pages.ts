import { resolve, sep } from 'node:path';
import type { ViteDevServer } from 'vite';

/** Editors save in several steps, and a file may be missing between two of them. */
const debounceMs = 40;

export function onChange(server: ViteDevServer, folder: string, act: (files: string[]) => void): void {
  let files = new Set<string>();
  let waiting: NodeJS.Timeout | undefined;
  server.watcher.add(folder);
  server.watcher.on('all', (_event, file) => {
    if (!resolve(file).startsWith(folder + sep)) return;
    clearTimeout(waiting);
    files.add(file);
    waiting = setTimeout(() => {
      const changed = [...files];
      files = new Set();
      act(changed);
    }, debounceMs);
  });
}

export const siteStyles = /\/styles\/(site|desk)\.css(\?|$)/;

export function reloadPages(server: ViteDevServer, isStale: (id: string) => boolean): void {
  for (const { moduleGraph, hot } of Object.values(server.environments)) {
    for (const [id, module] of moduleGraph.idToModuleMap)
      if (isStale(id)) moduleGraph.invalidateModule(module);
    hot.send({ type: 'full-reload' });
  }
}
