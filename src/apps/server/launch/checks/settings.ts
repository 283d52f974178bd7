import { isExampleEmail, isExampleHost } from '../../../../core/content/example-data.ts';
import {
  failed,
  type LaunchCheck,
  ready,
  recommended,
  required,
  serverOnly,
} from '../../../../core/launch/check.ts';
import { places } from '../../../../core/launch/places.ts';
import { isLoopback } from '../../../../core/settings/schemas.ts';
import type { CheckContext } from '../context.ts';

export const settingChecks: LaunchCheck<CheckContext>[] = [
  required(
    'Site URL',
    'Mails, search engines and Open Graph images need it, and browsers mark a site without HTTPS as not secure.',
    places.setting('SITE_URL'),
    ({ config: { siteUrl } }) => {
      if (!siteUrl)
        return failed(
          'it is not set',
          'run npm run setup, or set SITE_URL to the https:// address of the site',
        );
      const { hostname, protocol } = new URL(siteUrl);
      if (isLoopback(hostname)) return failed(`SITE_URL is ${siteUrl}, which only this machine can reach`);
      if (isExampleHost(hostname)) return failed(`SITE_URL is ${siteUrl}, which is an example`);
      if (protocol !== 'https:') return failed(`SITE_URL is ${siteUrl}; it must begin with https://`);
      return ready(siteUrl);
    },
  ),
  ...serverOnly<CheckContext>(
    required(
      'Mail server',
      'Without it there are no notifications, and no newsletter sign-up can be confirmed.',
      places.setting('SMTP_URL'),
      ({ config: { mail } }) =>
        mail.smtp
          ? ready(`${mail.smtp.host}, port ${mail.smtp.port}`)
          : failed(
              'mails are only written as files into the data folder',
              'run npm run setup, or set SMTP_URL',
            ),
    ),
    required(
      'Sender address',
      'Mail servers reject mail from an address that does not exist.',
      places.setting('MAIL_FROM'),
      ({ config: { mail } }) =>
        isExampleEmail(mail.from)
          ? failed(`mails come from the example ${mail.from}`, 'set MAIL_FROM or NOTIFY_EMAIL')
          : ready(`mails come from ${mail.from}`),
    ),
    recommended(
      'Trusted proxies',
      'Otherwise the rate limit treats all visitors as one, and one of them can lock out the others.',
      places.setting('TRUSTED_PROXIES'),
      ({ config: { trustedProxies, siteUrl } }) =>
        trustedProxies.length > 0 || !siteUrl?.startsWith('https:')
          ? ready(trustedProxies.length > 0 ? 'TRUSTED_PROXIES is set' : 'there is no proxy yet')
          : failed('none is set', 'set TRUSTED_PROXIES to the address of the HTTPS proxy, such as 127.0.0.1'),
    ),
    recommended(
      'Direct access',
      'Connections that bypass the proxy are not encrypted.',
      places.setting('HOST'),
      ({ config: { host, port } }) =>
        isLoopback(host)
          ? ready(`it listens on ${host}, for this machine only`)
          : failed(
              `it listens on ${host}`,
              `set HOST to 127.0.0.1, or block port ${port} with a firewall or container`,
            ),
    ),
    required(
      'Rate limit',
      'Without it one client can fill the inbox and the disk.',
      places.setting('RATE_LIMIT'),
      ({ config: { isRateLimited } }) =>
        isRateLimited ? ready('RATE_LIMIT is on') : failed('RATE_LIMIT is off, which is for benchmarks only'),
    ),
  ),
];
