import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { startSite } from './site.ts';

const pieces = 30;
const setByNode = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'];

export type SiteInPieces = AsyncDisposable & { origin: string; pauseMs: number };

/** The site behind a proxy that streams each page slowly, so that a browser paints it many times. */
export async function startStreamingSite(): Promise<SiteInPieces> {
  const site = await startSite();
  const server = createServer(async (request, response) => {
    const answer = await fetch(`${site.origin}${request.url}`, {
      headers: { 'accept-encoding': 'identity' },
    });
    const headers = [...answer.headers].filter(([name]) => !setByNode.includes(name));
    response.writeHead(answer.status, headers.flat());
    const body = Buffer.from(await answer.arrayBuffer());
    for (const piece of cut(body, answer)) {
      response.write(piece);
      await wait(streaming.pauseMs);
    }
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const streaming: SiteInPieces = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pauseMs: 15,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await site[Symbol.asyncDispose]();
    },
  };
  return streaming;
}

/**
 * Sends the head at once, because nothing is painted before its end, then pieces that end before a tag, because a
 * button grows with its text. Files other than pages are not split.
 */
function cut(body: Buffer, answer: Response): Buffer[] {
  const start = body.indexOf('<body');
  if (!answer.headers.get('content-type')?.startsWith('text/html') || start === -1) return [body];
  const size = (body.length - start) / pieces;
  const cuts = Array.from({ length: pieces }, (_, index) => body.indexOf('<', start + index * size));
  return [0, ...cuts].map((from, index) => body.subarray(from, cuts[index]));
}
