import type { Fetched } from '../../core/network/network.ts';
import { readHeaders, readHtml } from './home-page.ts';
import { readMeta } from './read-html.ts';

export type CspPolicy = ReadonlyMap<string, string[]>;

/** More than any site has; hostile ones would cost a map each. */
const maxPolicies = 100;

/** Each header and each part after a comma is a policy of its own; the first of equal directives counts. */
export function parseCsp(values: readonly string[]): CspPolicy[] {
  return values
    .flatMap(value => value.split(',', maxPolicies))
    .slice(0, maxPolicies)
    .map(text => {
      const policy = new Map<string, string[]>();
      for (const directive of text.split(';')) {
        const [name = '', ...sources] = directive.trim().split(/\s+/);
        const key = name.toLowerCase();
        if (key && !policy.has(key)) policy.set(key, sources.map(normaliseSource));
      }
      return policy;
    })
    .filter(policy => policy.size > 0);
}

export function readHeaderCsp(page: Fetched): CspPolicy[] {
  return parseCsp(readHeaders(page, 'content-security-policy'));
}

export function readCsp(page: Fetched): CspPolicy[] {
  return [
    ...readHeaderCsp(page),
    ...parseCsp(readMeta(readHtml(page), 'http-equiv', 'content-security-policy')),
  ];
}

/** Keywords and schemes are case-insensitive; nonces and hashes are not, but are only recognised here. */
function normaliseSource(source: string): string {
  return source.toLowerCase();
}
