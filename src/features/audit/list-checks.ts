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
import { webBanners } from './checks/web-banners.ts';
import { webCertificate } from './checks/web-certificate.ts';
import { webCookies } from './checks/web-cookies.ts';
import { webCors } from './checks/web-cors.ts';
import { webCsp } from './checks/web-csp.ts';
import { webFraming } from './checks/web-framing.ts';
import { webHsts } from './checks/web-hsts.ts';
import { webHttps } from './checks/web-https.ts';
import { webMixedContent } from './checks/web-mixed-content.ts';
import { webNosniff } from './checks/web-nosniff.ts';
import { webRedirect } from './checks/web-redirect.ts';
import { webReferrerPolicy } from './checks/web-referrer-policy.ts';
import { webResourcePolicy } from './checks/web-resource-policy.ts';
import { webSecurityTxt } from './checks/web-security-txt.ts';
import { webSubresourceIntegrity } from './checks/web-subresource-integrity.ts';
import { webTlsVersions } from './checks/web-tls-versions.ts';

/** Every check, in the order of the report. */
export const checks: readonly Check[] = [
  webHttps,
  webRedirect,
  webCertificate,
  webTlsVersions,
  webHsts,
  webCsp,
  webFraming,
  webNosniff,
  webReferrerPolicy,
  webCors,
  webResourcePolicy,
  webCookies,
  webMixedContent,
  webSubresourceIntegrity,
  webSecurityTxt,
  webBanners,
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
