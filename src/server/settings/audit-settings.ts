import { isIP } from 'node:net';
import { parseDomain } from '../../audit/parse-domain.ts';
import { parseHostName } from '../../lib/host-name.ts';
import type { SettingsReader } from './settings-reader.ts';
import { listOf } from './settings-reader.ts';

export function readAuditSettings(reader: SettingsReader) {
  return {
    isOn: reader.choice('AUDIT', 'on', ['on', 'off']) === 'on',
    deny: reader.read('AUDIT_DENY', 'domains such as example.com, example.org', listOf(deniedDomain)) ?? [],
    /** Empty: those of this machine. */
    resolvers:
      reader.read(
        'AUDIT_DNS',
        'addresses of DNS resolvers such as 9.9.9.9, 192.0.2.1:5353',
        listOf(resolver),
      ) ?? [],
  };
}

/** Without `www`, as a visitor's domain is audited: who asks for the one means the other. */
function deniedDomain(text: string): string | undefined {
  const host = parseHostName(text);
  return host && (parseDomain(host) ?? host);
}

/** In the form of `dns.setServers`: an address with or without a port. */
function resolver(text: string): string | undefined {
  const [, bracketed, plain = text, port = '53'] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  return isIP(bracketed ?? plain) && Number(port) <= 65_535 ? text : undefined;
}
