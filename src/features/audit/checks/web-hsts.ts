import { NetworkError } from '../../../core/network/network-error.ts';
import type { Check } from '../check.ts';
import { fetchFrom, findWebHost, readHeaders } from '../home-page.ts';

/** Six months, as Mozilla's Observatory asks; browsers' preload list asks for a year. */
const minSeconds = 15_768_000;
const preloadSeconds = 31_536_000;

export const webHsts: Check = {
  id: 'web-hsts',
  group: 'web',
  findings: {
    'preload-ready': 'passed',
    long: 'passed',
    short: 'attention',
    'only-after-redirect': 'attention',
    invalid: 'failed',
    none: 'missing',
  },
  async run({ domain, network }) {
    const first = await network.fetch(`https://${await findWebHost({ domain, network })}/`);
    // Only the first header counts (RFC 6797, 8.1).
    const [header] = readHeaders(first, 'strict-transport-security');
    if (header === undefined) {
      const { page } = await fetchFrom('https', { domain, network });
      const [later] = readHeaders(page, 'strict-transport-security');
      // An error page, often of a firewall, says nothing about the header of the others.
      if (later === undefined && page.status >= 400)
        throw new NetworkError(`${page.url} answered with status ${page.status}`);
      return later === undefined
        ? { finding: 'none' }
        : { finding: 'only-after-redirect', values: { url: first.url }, evidence: [`${page.url}: ${later}`] };
    }
    // RFC 6797, 8.1.
    if (first.tls?.problem)
      throw new NetworkError('browsers ignore the header where the certificate is wrong');
    const evidence = [`Strict-Transport-Security: ${header}`];
    const directives = header.split(';').map(part => part.trim().toLowerCase());
    const maxAges = directives.flatMap(part => /^max-age\s*=\s*"?(\d+)"?$/.exec(part)?.[1] ?? []);
    if (maxAges.length !== 1) return { finding: 'invalid', evidence };
    const seconds = Number(maxAges[0]);
    const values = { days: String(Math.floor(seconds / 86_400)) };
    if (seconds < minSeconds) return { finding: seconds === 0 ? 'none' : 'short', values, evidence };
    const isPreload =
      seconds >= preloadSeconds && directives.includes('includesubdomains') && directives.includes('preload');
    return { finding: isPreload ? 'preload-ready' : 'long', values, evidence };
  },
};
