import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Where a process is to run: a command is put behind `prefix`, which may be empty. */
export type Place = { prefix: string[] };
export type Places = { server: Place; load: Place; said: string };

/** One core for whichever server is measured, another for the load; anywhere where that cannot be had. */
export function choosePlaces(): Places {
  const [server, ...others] = allowedCores();
  const load = others.at(-1);
  if (server === undefined || load === undefined) {
    return anywhere('Not pinned: fewer than two cores are known, so the load takes time from the servers');
  }
  if (spawnSync('taskset', ['-c', String(server), 'true']).status !== 0) {
    return anywhere('Not pinned: there is no taskset (Linux, util-linux); expect wider ranges');
  }
  return {
    server: { prefix: ['taskset', '-c', String(server)] },
    load: { prefix: ['taskset', '-c', String(load)] },
    said: `Servers pinned to core ${server}, load to core ${load}`,
  };
}

function anywhere(said: string): Places {
  return { server: { prefix: [] }, load: { prefix: [] }, said };
}

/** The cores this process may use, which in a container need not begin at 0. */
function allowedCores(): number[] {
  const file = '/proc/self/status';
  if (!existsSync(file)) return [];
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  return list.split(',').flatMap(part => {
    const [from = 0, to = from] = part.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}
