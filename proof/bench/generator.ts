import { join } from 'node:path';
import { startChild, stopChild } from './child.ts';
import type { Place } from './cores.ts';
import type { LoadOrder, LoadReply, LoadResult } from './load.ts';

export type Generator = { run(order: LoadOrder): Promise<LoadResult>; stop(): Promise<void> };

/** The load generator in a process of its own, kept for all rounds so that it is warm in each. */
export async function startGenerator(place: Place): Promise<Generator> {
  const child = startChild(place, [process.execPath, join(import.meta.dirname, 'load.ts')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });

  function run(order: LoadOrder): Promise<LoadResult> {
    return new Promise((resolve, reject) => {
      const onExit = () => reject(new Error('The load generator ended'));
      child.once('exit', onExit);
      child.once('message', (reply: LoadReply) => {
        child.off('exit', onExit);
        if ('result' in reply) resolve(reply.result);
        else reject(new Error(reply.failure));
      });
      child.send(order);
    });
  }
  return { run, stop: () => stopChild(child) };
}
