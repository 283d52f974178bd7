import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** So many connections that ask this often for a page at once, and read nothing of what comes. */
export async function pipelineUnread(port: number, connections: number, each: number): Promise<Disposable> {
  const bytes = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(each);
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket.pause(), 'connect');
    socket.write(bytes);
    return socket;
  };
  const sockets = await Promise.all(Array.from({ length: connections }, open));
  return {
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
