import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

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
  const open = new Set<Socket>();
  let isCutting = false;
  let refused: number | undefined;

  const servers = targets.map((target, place) =>
    createServer(near => {
      if (place === refused) {
        near.resetAndDestroy();
        return;
      }
      const far = connect(target, '127.0.0.1');
      let isCut = false;
      for (const socket of [near, far]) {
        open.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          open.delete(socket);
          near.destroy();
          far.destroy();
        });
      }
      near.on('data', chunk => {
        if (chunk.toString('latin1', 0, 5) === 'POST ') {
          posts.push(chunk.toString('latin1').split('\r\n\r\n')[0] ?? '');
          isCut = isCutting;
          isCutting = false;
        }
        far.write(chunk);
      });
      far.on('data', chunk => {
        if (isCut) near.destroy();
        else near.write(chunk);
      });
      near.on('end', () => far.end());
    }),
  );
  for (const server of servers) await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return {
    ports: servers.map(server => (server.address() as AddressInfo).port),
    posts,
    cutNext() {
      isCutting = true;
    },
    refuse(place) {
      refused = place;
      for (const socket of open) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await Promise.all(servers.map(server => new Promise(closed => server.close(closed))));
    },
  };
}
