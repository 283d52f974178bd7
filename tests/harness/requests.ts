import { contactPath } from '../../src/api/contract.ts';

export const origin = 'http://site.example';

export function json(body: unknown, headers: Record<string, string> = {}): Request {
  const isReady = typeof body === 'string' || body instanceof ReadableStream;
  return new Request(origin + contactPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: isReady ? body : JSON.stringify(body),
    duplex: 'half',
  });
}

export function form(fields: Record<string, string>, headers: Record<string, string> = {}): Request {
  const body = new URLSearchParams(fields);
  return new Request(origin + contactPath, { method: 'POST', headers, body });
}
