import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { DeskApp } from '../../core/desk/desk-deps.ts';

export type RunningDesk = AsyncDisposable & { port: number };

/** Both addresses of this machine, where it has both, and no other. */
export async function serveDesk(app: DeskApp, port: number): Promise<RunningDesk> {
  // The host name is checked by the app: it must see what the browser sent.
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const first = await listen(createServer(listener), port, '127.0.0.1');
  const { port: chosen } = first.address() as AddressInfo;
  const servers = [first];
  try {
    servers.push(await listen(createServer(listener), chosen, '::1'));
  } catch (error) {
    // Without IPv6 there is no such address; a port that is taken is another program's.
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
      first.close();
      throw error;
    }
  }
  return {
    port: chosen,
    async [Symbol.asyncDispose]() {
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map(server => new Promise(done => server.close(done))));
    },
  };
}

async function listen(server: Server, port: number, host: string): Promise<Server> {
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
