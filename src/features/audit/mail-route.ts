import type { AuditDns, DnsAnswer } from '../../core/network/network.ts';
import { getRegistrableDomain } from '../../core/network/parse-domain.ts';

/** `servers` are the hosts of the MX records, best first; a domain that refuses mail has the single host '.'. */
export type MailRoute = { domain: string; servers: string[]; answer: DnsAnswer };

/** Mail is a matter of the whole domain: for a name without MX records, such as www.example.com, its domain is asked. */
export async function findMailRoute(dns: AuditDns, name: string): Promise<MailRoute> {
  const own = await readMailRoute(dns, name);
  const domain = getRegistrableDomain(name);
  return own.servers.length > 0 || domain === name ? own : readMailRoute(dns, domain);
}

/** The host that receives mail first, or undefined when the domain receives none. */
export async function findFirstMailServer(dns: AuditDns, name: string): Promise<string | undefined> {
  const [first] = (await findMailRoute(dns, name)).servers;
  return first === '.' ? undefined : first;
}

/** Of this very name. */
export async function readMailRoute(dns: AuditDns, domain: string): Promise<MailRoute> {
  const answer = await dns.query(domain, 'MX');
  const servers = answer.records
    .map(({ data }) => data as { preference?: number; exchange: string })
    .toSorted((one, other) => (one.preference ?? 0) - (other.preference ?? 0))
    .map(({ exchange }) => exchange.toLowerCase().replace(/(.)\.$/, '$1') || '.');
  return { domain, servers, answer };
}
