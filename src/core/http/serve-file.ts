import type { IncomingMessage, ServerResponse } from 'node:http';
import { acceptedEncodings, matchesTag } from './content-negotiation.ts';
import type { FileResponse, Files, StaticFile } from './static-files.ts';

export function respondWithFile(
  files: Files,
  request: IncomingMessage,
  response: ServerResponse,
  count: (kind: StaticFile['kind'], status: number) => void,
): number {
  const url = request.url ?? '/';
  const queryAt = url.indexOf('?');
  const path = queryAt < 0 ? url : url.slice(0, queryAt);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const file = files.get(path);

  if (file) {
    const status = isRead ? send(request, response, 200, file) : refuseMethod(files, response);
    count(file.kind, status);
    return status;
  }
  const canonical = files.canonical(path);
  if (canonical === undefined) {
    count('not-found', 404);
    return send(request, response, 404, files.notFound);
  }
  const location = queryAt < 0 ? canonical : canonical + url.slice(queryAt);
  const status = isRead ? end(files, response, 308, ['Location', location]) : refuseMethod(files, response);
  count('page', status);
  return status;
}

function send(request: IncomingMessage, response: ServerResponse, status: number, file: StaticFile): number {
  const chosen = chooseEncoding(file, request.headers['accept-encoding'] as string | undefined);
  const tag = request.headers['if-none-match'];
  if (status === 200 && tag !== undefined && matchesTag(tag, chosen.etag)) {
    response.writeHead(304, chosen.notModified);
    response.end();
    return 304;
  }
  response.writeHead(status, chosen.headers);
  if (request.method === 'HEAD') response.end();
  else response.end(chosen.body, 'latin1');
  return status;
}

function chooseEncoding(file: StaticFile, header: string | undefined): FileResponse {
  for (const encoding of acceptedEncodings(header)) {
    const chosen = file.encoded[encoding];
    if (chosen) return chosen;
  }
  return file.plain;
}

function refuseMethod(files: Files, response: ServerResponse): number {
  return end(files, response, 405, ['Allow', 'GET, HEAD']);
}

function end({ baseHeaders }: Files, response: ServerResponse, status: number, headers: string[]): number {
  response.writeHead(status, [...baseHeaders, ...headers, 'Content-Length', '0']);
  response.end();
  return status;
}
