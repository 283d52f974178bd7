/**
 * Every answer of the API: never kept by a cache, and named by the id that the log has for it. Headers are given at once
 * and as a plain object, because the adapter then writes the answer without making streams of it.
 */
export function reply(
  status: number,
  requestId: string,
  body: string | null,
  headers: Record<string, string>,
): Response {
  return new Response(body, {
    status,
    headers: { 'cache-control': 'no-store', 'x-request-id': requestId, ...headers },
  });
}

/** On to a page of our own, asked for by GET: pressing reload there sends nothing again. */
export function redirect(location: string, requestId: string): Response {
  return reply(303, requestId, null, { location });
}
