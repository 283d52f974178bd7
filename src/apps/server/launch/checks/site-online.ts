import { failed, type LaunchCheck, online, ready, required } from '../../../../core/launch/check.ts';
import { places } from '../../../../core/launch/places.ts';
import { requireSiteUrl } from '../../../../core/launch/require-site-url.ts';
import { findIps } from '../../../../core/network/dns-client.ts';
import { NetworkError } from '../../../../core/network/network-error.ts';
import type { CheckContext } from '../context.ts';

export const onlineChecks: LaunchCheck<CheckContext>[] = online<CheckContext>(
  required(
    'DNS',
    'Visitors cannot find the site without an address record.',
    places.domain,
    async ({ config, network }) => {
      const { hostname } = requireSiteUrl(config);
      const ips = await findIps(network.dns, hostname);
      return ips.length > 0
        ? ready(`${hostname} is ${ips.join(', ')}`)
        : failed(`${hostname} has no address in DNS`, 'add an A and an AAAA record');
    },
  ),
  required(
    'Site online',
    'The domain does not serve the site.',
    places.server,
    async ({ config, network }) => {
      const { origin, hostname } = requireSiteUrl(config);
      try {
        const { status, body } = await network.fetch(`https://${hostname}/`);
        if (status !== 200) return failed(`${origin} answers ${status}`);
        return findCanonical(body) === `${origin}/`
          ? ready(`${origin} serves the site`)
          : failed(`${origin} serves something else, or a build for another SITE_URL`);
      } catch (error) {
        if (error instanceof NetworkError && error.kind === 'refused')
          return failed(`${origin}: ${error.message}`, 'start the site and its proxy');
        throw error;
      }
    },
  ),
);

function findCanonical(page: string): string | undefined {
  const link = (page.match(/<link\b[^>]*>/gi) ?? []).find(tag => /\brel="?canonical\b/i.test(tag));
  return /\bhref="([^"]*)"/i.exec(link ?? '')?.[1];
}
