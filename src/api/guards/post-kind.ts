/** How a visitor's post is written, or the status it is refused with before a byte of it is read. */
export function postKind(request: Request): 'json' | 'form' | 415 {
  // What is packed could be far larger than it looks, and no browser packs a post.
  if (request.headers.has('content-encoding')) return 415;
  const [type = '', ...parameters] = (request.headers.get('content-type') ?? '').toLowerCase().split(/ *; */);
  if (parameters.some(parameter => parameter.startsWith('charset=') && !utf8.test(parameter))) return 415;
  if (type.trim() === 'application/json') return 'json';
  return type.trim() === 'application/x-www-form-urlencoded' ? 'form' : 415;
}

/** The one encoding that is read, by its names; ASCII is a part of it. */
const utf8 = /^charset="?(utf-?8|us-ascii)"?$/;
