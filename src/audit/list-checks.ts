import type { Check } from './check.ts';
import { mailDane } from './checks/mail-dane.ts';
import { mailDkim } from './checks/mail-dkim.ts';
import { mailDmarc } from './checks/mail-dmarc.ts';
import { mailDmarcReports } from './checks/mail-dmarc-reports.ts';
import { mailMtaSts } from './checks/mail-mta-sts.ts';
import { mailServers } from './checks/mail-servers.ts';
import { mailSpf } from './checks/mail-spf.ts';
import { mailStarttls } from './checks/mail-starttls.ts';
import { mailTlsRpt } from './checks/mail-tls-rpt.ts';
import { namesCaa } from './checks/names-caa.ts';
import { namesDangling } from './checks/names-dangling.ts';
import { namesDnssec } from './checks/names-dnssec.ts';
import { namesExpiry } from './checks/names-expiry.ts';
import { namesIpv6 } from './checks/names-ipv6.ts';
import { namesServers } from './checks/names-servers.ts';

/** Every check, in the order of the report. */
export const checks: readonly Check[] = [
  mailServers,
  mailSpf,
  mailDkim,
  mailDmarc,
  mailDmarcReports,
  mailStarttls,
  mailMtaSts,
  mailTlsRpt,
  mailDane,
  namesServers,
  namesDnssec,
  namesCaa,
  namesIpv6,
  namesExpiry,
  namesDangling,
];
