import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { print } from './options.ts';

/** Where a process is to run: a command is put behind `prefix`, which may be empty. */
export type Place = { prefix: string[] };

/** One core for whichever server is measured, another for this process and its load; anywhere where that cannot be had. */
export function chooseServerPlace(): Place {
  const [server, ...others] = allowedCores();
  const load = others.at(-1);
  if (server === undefined || load === undefined) {
    print('Not pinned: fewer than two cores are known, so the load takes time from the servers');
    return { prefix: [] };
  }
  if (spawnSync('taskset', ['-a', '-c', '-p', String(load), String(process.pid)]).status !== 0) {
    print('Not pinned: there is no taskset (Linux, util-linux); expect wider ranges');
    return { prefix: [] };
  }
  print(`Servers pinned to core ${server}, load to core ${load}`);
  return { prefix: ['taskset', '-c', String(server)] };
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
