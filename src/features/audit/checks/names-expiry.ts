import { NetworkError } from '../../../core/network/network-error.ts';
import { getRegistrableDomain } from '../../../core/network/parse-domain.ts';
import type { Check } from '../check.ts';

const day = 86_400_000;
const minDays = 30;

/** RDAP servers of registries that tell the date, from IANA's list (data.iana.org/rdap/dns.json). */
const registries: Record<string, string> = {
  com: 'https://rdap.verisign.com/com/v1/',
  net: 'https://rdap.verisign.com/net/v1/',
  org: 'https://rdap.publicinterestregistry.org/rdap/',
  info: 'https://rdap.identitydigital.services/rdap/',
  uk: 'https://rdap.nominet.uk/uk/',
  fr: 'https://rdap.nic.fr/',
  no: 'https://rdap.norid.no/',
  cz: 'https://rdap.nic.cz/',
  pl: 'https://rdap.dns.pl/',
  ca: 'https://rdap.ca.fury.ca/rdap/',
  app: 'https://pubapi.registry.google/rdap/',
  dev: 'https://pubapi.registry.google/rdap/',
};

export const namesExpiry: Check = {
  id: 'names-expiry',
  group: 'names',
  findings: {
    later: 'passed',
    soon: 'attention',
    expired: 'attention',
    'unknown-registry': 'not-measurable',
  },
  async run({ domain, network, now }) {
    const registered = getRegistrableDomain(domain);
    const registry = registries[registered.slice(registered.lastIndexOf('.') + 1)];
    if (!registry) return { finding: 'unknown-registry', values: { domain: registered } };
    const { status, body } = await network.fetch(`${registry}domain/${registered}`);
    const expires = status === 200 ? readExpiry(body) : undefined;
    if (!expires) throw new NetworkError('the registry tells no date');
    const days = Math.floor((expires.getTime() - now.getTime()) / day);
    const values = { domain: registered, date: expires.toISOString().slice(0, 10), days: String(days) };
    const finding = days < 0 ? 'expired' : days < minDays ? 'soon' : 'later';
    return { finding, values, evidence: [`expiration ${values.date}`] };
  },
};

function readExpiry(body: string): Date | undefined {
  try {
    const { events } = JSON.parse(body) as { events: { eventAction: unknown; eventDate: unknown }[] };
    const found = events.find(({ eventAction }) => eventAction === 'expiration');
    const date = new Date(String(found?.eventDate));
    return Number.isNaN(date.getTime()) ? undefined : date;
  } catch {
    return undefined;
  }
}
