import { contactPath } from '../../src/features/messages/contract.ts';

export const origin = 'http://site.example';

export function json(
  body: unknown,
  headers: Record<string, string> = {},
  path: string = contactPath,
): Request {
  const isReady = typeof body === 'string' || body instanceof ReadableStream;
  return new Request(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: isReady ? body : JSON.stringify(body),
    duplex: 'half',
  });
}

/** A string is posted unchanged. */
export function form(
  fields: Record<string, string> | string,
  headers: Record<string, string> = {},
  path: string = contactPath,
): Request {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return new Request(origin + path, { method: 'POST', headers: { ...type, ...headers }, body });
}

/** To a running server. */
export function postJson(
  address: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}
