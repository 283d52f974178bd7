import { type Encoding, encodings } from './static-files.ts';

const cache = new Map<string, readonly Encoding[]>();

export function acceptedEncodings(header: string | undefined): readonly Encoding[] {
  if (!header) return [];
  const known = cache.get(header);
  if (known) return known;
  const accepted = rank(header);
  if (cache.size < 500) cache.set(header, accepted);
  return accepted;
}

/** RFC 9110: by weight, ours first among equals; weight 0 is a refusal, * is all unnamed. */
function rank(header: string): readonly Encoding[] {
  const weights = new Map<string, number>();
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map(part => part.trim());
    const quality = parameters.find(parameter => parameter.startsWith('q='));
    const weight = quality ? Number(quality.slice(2)) : 1;
    weights.set(name, Number.isFinite(weight) ? weight : 0);
  }
  const getWeight = (name: Encoding) => weights.get(name) ?? weights.get('*') ?? 0;
  return encodings
    .filter(name => getWeight(name) > 0)
    .sort((one, other) => getWeight(other) - getWeight(one));
}

/** If-None-Match compares weakly (RFC 9110 13.1.2): a cache may have weakened our tag. */
export function matchesTag(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true;
  return header.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag);
}
