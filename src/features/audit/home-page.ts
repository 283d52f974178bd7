import { queryAddresses } from '../../core/network/dns-client.ts';
import type { Fetched } from '../../core/network/network.ts';
import { NetworkError } from '../../core/network/network-error.ts';
import type { CheckContext } from './check.ts';
import { maxTags, readStartTags, type StartTag } from './read-html.ts';

type Asked = Pick<CheckContext, 'domain' | 'network'>;

/** The home page that a visitor sees: over HTTPS, or over HTTP where there is no HTTPS. `responses` includes redirects. */
export async function fetchHomePage(asked: Asked): Promise<{ page: Fetched; responses: Fetched[] }> {
  const { page, hops } = await fetchFrom('https', asked).catch(error => {
    if (!isUnreachable(error)) throw error;
    return fetchFrom('http', asked);
  });
  // An error page, often of a firewall, says nothing about the headers of the others.
  if (page.status >= 400) throw new NetworkError(`${page.url} answered with status ${page.status}`);
  return { page, responses: [...hops, page] };
}

/** A domain without an address of its own is visited at `www`. */
export async function fetchFrom(
  scheme: 'https' | 'http',
  { domain, network }: Asked,
): Promise<{ page: Fetched; hops: Fetched[] }> {
  return network.fetchFollowing(`${scheme}://${await findWebHost({ domain, network })}/`);
}

export async function findWebHost({ domain, network: { dns } }: Asked): Promise<string> {
  for (const host of [domain, `www.${domain}`]) {
    const answers = await queryAddresses(dns, host);
    if (answers.some(({ records }) => records.length > 0)) return host;
  }
  return domain;
}

export function isUnreachable(error: unknown): boolean {
  return error instanceof NetworkError && (error.kind === 'refused' || error.kind === 'timeout');
}

export function readHeaders({ headers }: Fetched, name: string): string[] {
  return headers.filter(([one]) => one === name).map(([, value]) => value.trim());
}

/** A fault counts wherever it stands; only a page that was read to its end has none. */
export function assertReadWhole(page: Fetched): void {
  if (page.isTruncated || readHtml(page).length >= maxTags)
    throw new NetworkError('the home page could not be read to its end');
}

const tagsOfPages = new WeakMap<Fetched, StartTag[]>();

/** Once for all checks of a page: a hostile one takes up to a second. */
export function readHtml(page: Fetched): StartTag[] {
  const [type = ''] = readHeaders(page, 'content-type');
  const tags = tagsOfPages.get(page) ?? (/html|^$/i.test(type) ? readStartTags(page) : []);
  tagsOfPages.set(page, tags);
  return tags;
}
