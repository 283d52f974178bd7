import { isExampleEmail, isExampleHost } from '../../../../core/content/example-data.ts';
import { isLoopback } from '../../../../core/settings/schemas.ts';
import { type Check, failed, ready, recommended, required, serverOnly } from '../check.ts';

export const settingChecks: Check[] = [
  required(
    'Site URL',
    'Mails, search engines and Open Graph images need it, and browsers mark a site without HTTPS as not secure.',
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
  ...serverOnly(
    required(
      'Mail server',
      'Without it there are no notifications, and no newsletter sign-up can be confirmed.',
      ({ config: { mail } }) =>
        mail.smtp
          ? ready(`${mail.smtp.host}, port ${mail.smtp.port}`)
          : failed(
              'mails are only written as files into the data folder',
              'run npm run setup, or set SMTP_URL',
            ),
    ),
    required('Notification address', 'Otherwise new messages go unnoticed.', ({ config: { mail } }) =>
      isExampleEmail(mail.to)
        ? failed(`mails go to the example ${mail.to}`, 'set NOTIFY_EMAIL')
        : ready(`mails go to ${mail.to}`),
    ),
    required(
      'Sender address',
      'Mail servers reject mail from an address that does not exist.',
      ({ config: { mail } }) =>
        isExampleEmail(mail.from)
          ? failed(`mails come from the example ${mail.from}`, 'set MAIL_FROM or NOTIFY_EMAIL')
          : ready(`mails come from ${mail.from}`),
    ),
    recommended(
      'Acknowledgement',
      'A visitor then has the reference of the message in their own mailbox.',
      ({ config: { mail } }) =>
        ready(
          mail.isAcknowledging
            ? `visitors get a mail from ${mail.from}; read content/emails/acknowledgement.md once`
            : 'visitors get no mail about their message; ACKNOWLEDGEMENT=on sends one',
        ),
    ),
    recommended(
      'Sheet',
      'A file on this machine is not shared, and is lost with the machine.',
      ({ config: { sheet } }) =>
        sheet.kind === 'file'
          ? failed(
              'rows go to messages.csv on this machine alone',
              'run npm run setup (docs/owner/google-sheet.md), or set SHEET_URL',
            )
          : ready(`rows go to ${new URL(sheet.url).host}`),
    ),
    recommended(
      'Trusted proxies',
      'Otherwise the rate limit treats all visitors as one, and one of them can lock out the others.',
      ({ config: { trustedProxies, siteUrl } }) =>
        trustedProxies.length > 0 || !siteUrl?.startsWith('https:')
          ? ready(trustedProxies.length > 0 ? 'TRUSTED_PROXIES is set' : 'there is no proxy yet')
          : failed('none is set', 'set TRUSTED_PROXIES to the address of the HTTPS proxy, such as 127.0.0.1'),
    ),
    recommended(
      'Direct access',
      'Connections that bypass the proxy are not encrypted.',
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
      ({ config: { isRateLimited } }) =>
        isRateLimited ? ready('RATE_LIMIT is on') : failed('RATE_LIMIT is off, which is for benchmarks only'),
    ),
    recommended(
      'Data retention',
      'Personal data may not be kept longer than needed, and the privacy page states the period.',
      ({ config: { retention } }) => {
        const forEver = [
          ...(retention.messagesDays === 0 ? ['KEEP_MESSAGES_DAYS'] : []),
          ...(retention.quarantineDays === 0 ? ['KEEP_QUARANTINE_DAYS'] : []),
        ];
        if (forEver.length > 0) return failed(`${forEver.join(' and ')} is 0: messages are kept for ever`);
        return ready(`${retention.messagesDays} days, in quarantine ${retention.quarantineDays}`);
      },
    ),
  ),
];
