export type BodyResult = { text: string } | { status: 400 | 413 };

/** Reads a body up to a limit, whether or not its length was announced, and only as well-formed UTF-8. */
export async function readBody(request: Request, limit: number): Promise<BodyResult> {
  const announced = request.headers.get('content-length');
  if (Number(announced ?? 0) > limit) return { status: 413 };
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let size = 0;
  let text = '';
  try {
    // No more than was announced can follow; read whole, it needs no stream of its own.
    if (announced !== null) return { text: decoder.decode(await request.arrayBuffer()) };
    for await (const chunk of request.body ?? []) {
      size += chunk.length;
      if (size > limit) return { status: 413 };
      text += decoder.decode(chunk, { stream: true });
    }
    return { text: text + decoder.decode() };
  } catch {
    // Not UTF-8, or the visitor went away before the end: either way there is nothing to read.
    return { status: 400 };
  }
}
