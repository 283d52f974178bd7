import { isCrossSite } from './same-site.ts';

/** How a visitor's post is written, or the status it is refused with before a byte of it is read. */
export function postKind(request: Request, siteUrl: string | undefined): 'json' | 'form' | 403 | 415 {
  if (isCrossSite(request, siteUrl)) return 403;
  // What is packed could be far larger than it looks, and no browser packs a post.
  if (request.headers.has('content-encoding')) return 415;
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return 'json';
  return type === 'application/x-www-form-urlencoded' ? 'form' : 415;
}
