import { getRegistrableDomain, isWithin, parseDomain } from '../../../core/network/parse-domain.ts';
import type { AuditTargets } from './request-audit.ts';

/** Our own names too, to which a redirect or an MX record may lead: their servers may trust this machine's address. */
export function listDenied(deny: readonly string[], siteUrl: string | undefined): string[] {
  const ownHost = siteUrl && new URL(siteUrl).hostname;
  return [...deny, ...(ownHost ? [getRegistrableDomain(ownHost)] : [])];
}

export function createTargets(denied: readonly string[]): AuditTargets {
  return {
    parse: parseDomain,
    isOffered: domain => !isWithin(domain, denied),
  };
}
