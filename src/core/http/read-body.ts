export type BodyResult = { text: string } | { status: 400 | 413 };

export async function readBody(request: Request, limit: number): Promise<BodyResult> {
  const announced = request.headers.get('content-length');
  if (Number(announced ?? 0) > limit) return { status: 413 };
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let size = 0;
  let text = '';
  try {
    if (announced !== null) return { text: decoder.decode(await request.arrayBuffer()) };
    for await (const chunk of request.body ?? []) {
      size += chunk.length;
      if (size > limit) return { status: 413 };
      text += decoder.decode(chunk, { stream: true });
    }
    return { text: text + decoder.decode() };
  } catch {
    return { status: 400 };
  }
}

export function parseContentType(request: Request): 'json' | 'form' | 415 {
  // A compressed body could expand far beyond the limit, and no browser compresses a post.
  if (request.headers.has('content-encoding')) return 415;
  const [type = '', ...parameters] = (request.headers.get('content-type') ?? '').toLowerCase().split(/ *; */);
  if (parameters.some(parameter => parameter.startsWith('charset=') && !utf8.test(parameter))) return 415;
  if (type.trim() === 'application/json') return 'json';
  return type.trim() === 'application/x-www-form-urlencoded' ? 'form' : 415;
}

const utf8 = /^charset="?(utf-?8|us-ascii)"?$/;
