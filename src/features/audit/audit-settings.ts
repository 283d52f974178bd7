import { isIP } from 'node:net';
import { parseDomain } from '../../core/network/parse-domain.ts';
import { defineSettings } from '../../core/settings/define-settings.ts';
import { listOf, onOff } from '../../core/settings/schemas.ts';
import { parseHostName } from '../../lib/host-name.ts';

export const auditSettings = defineSettings(
  {
    AUDIT: {
      schema: onOff,
      default: 'on',
      about: `on: visitors may have a domain audited at /audit. off: the page says so (after npm run publish-site
        in place of the form); links to earlier reports still work.`,
    },
    AUDIT_DENY: {
      schema: listOf(parseDeniedDomain, 'domains such as example.com, example.org'),
      default: '',
      about: `Domains that are not audited, with their subdomains, such as example.com, example.org: those whose
        owners asked for it. The domain of SITE_URL is never audited for visitors.`,
    },
    AUDIT_DNS: {
      schema: listOf(parseResolver, 'addresses of DNS resolvers such as 9.9.9.9, 192.0.2.1:5353'),
      default: '',
      about: `DNS resolvers for the audit, such as 9.9.9.9, 192.0.2.1:5353. One that validates DNSSEC is needed to
        report on it. Unset: those of this machine.`,
    },
  },
  values => ({ isOn: values.AUDIT, deny: values.AUDIT_DENY, resolvers: values.AUDIT_DNS }),
);

/** Without `www`, as a visitor's domain is audited: who asks for the one means the other. */
function parseDeniedDomain(text: string): string | undefined {
  const host = parseHostName(text);
  return host && (parseDomain(host) ?? host);
}

/** In the form of `dns.setServers`: an address with or without a port. */
function parseResolver(text: string): string | undefined {
  const [, bracketed, plain = text, port = '53'] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  return isIP(bracketed ?? plain) && Number(port) <= 65_535 ? text : undefined;
}
