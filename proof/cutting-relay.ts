import { createRelay } from './faults/relay.ts';

export type CuttingRelay = AsyncDisposable & {
  ports: number[];
  /** The heads of posts that went through, in their order. */
  posts: string[];
  /** The next POST reaches its server, but its response is lost, as when the process is killed. */
  cutNext(): void;
  /** Connections to this target are reset, as when its process is gone. */
  refuse(place: number | undefined): void;
};

/** Stands between a proxy and servers, one port for each. */
export async function createCuttingRelay(targets: number[]): Promise<CuttingRelay> {
  const posts: string[] = [];
  let isCutting = false;
  /** Whether the answer to this is lost. */
  function look(chunk: Buffer): boolean {
    if (chunk.toString('latin1', 0, 5) !== 'POST ') return false;
    posts.push(chunk.toString('latin1').split('\r\n\r\n')[0] ?? '');
    const isCut = isCutting;
    isCutting = false;
    return isCut;
  }
  const relays = await Promise.all(targets.map(port => createRelay({ host: '127.0.0.1', port }, look)));
  return {
    ports: relays.map(({ port }) => port),
    posts,
    cutNext() {
      isCutting = true;
    },
    refuse(place) {
      for (const [index, relay] of relays.entries()) {
        if (index === place) relay.refuse();
        else relay.pass();
        relay.cutAll();
      }
    },
    async [Symbol.asyncDispose]() {
      for (const relay of relays) await relay[Symbol.asyncDispose]();
    },
  };
}
