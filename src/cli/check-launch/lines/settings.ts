import { isExampleEmail, isExampleHost } from '../../../content/examples.ts';
import { isLoopback } from '../../../server/settings/address.ts';
import { type Check, missing, ready } from '../check.ts';

/** What only the settings say. */
export const settingLines: Check[] = [
  {
    name: 'Public address',
    level: 'must',
    why: 'Letters, search engines and the pictures beside shared links need it, and browsers call a site without HTTPS not secure.',
    look({ config: { siteUrl } }) {
      if (!siteUrl) return missing('set SITE_URL to the https address of the site');
      const { hostname, protocol } = new URL(siteUrl);
      if (isLoopback(hostname)) return missing(`SITE_URL is ${siteUrl}, which is this machine alone`);
      if (isExampleHost(hostname)) return missing(`SITE_URL is ${siteUrl}, which is an example`);
      if (protocol !== 'https:') return missing(`SITE_URL is ${siteUrl}; it must begin with https://`);
      return ready(siteUrl);
    },
  },
  {
    name: 'Mail server',
    level: 'must',
    isOfServer: true,
    why: 'Without one nobody is told of a message, and nobody can confirm the newsletter.',
    look: ({ config: { mail } }) =>
      mail.smtp
        ? ready(`${mail.smtp.host}, port ${mail.smtp.port}`)
        : missing('mails only become files in the data folder; set SMTP_URL'),
  },
  {
    name: 'Whom to tell',
    level: 'must',
    isOfServer: true,
    why: 'Messages wait unread until somebody looks for them.',
    look: ({ config: { mail } }) =>
      isExampleEmail(mail.to)
        ? missing(`mails go to ${mail.to}, which nobody reads; set NOTIFY_EMAIL`)
        : ready(`mails go to ${mail.to}`),
  },
  {
    name: 'Sender of mails',
    level: 'must',
    isOfServer: true,
    why: 'Mail servers turn away mail from an address that does not exist.',
    look: ({ config: { mail } }) =>
      isExampleEmail(mail.from)
        ? missing(`mails come from ${mail.from}; set MAIL_FROM, or NOTIFY_EMAIL alone`)
        : ready(`mails come from ${mail.from}`),
  },
  {
    name: 'Sheet',
    level: 'should',
    isOfServer: true,
    why: 'A file on this machine is seen by nobody else, and goes when the machine goes.',
    look: ({ config: { sheet } }) =>
      sheet.kind === 'file'
        ? missing('rows go to messages.csv on this machine alone; set SHEET_URL (docs/sheets.md)')
        : ready(`rows go to ${new URL(sheet.url).host}`),
  },
  {
    name: 'Visitors behind the proxy',
    level: 'should',
    isOfServer: true,
    why: 'Otherwise all visitors count as one for the rate limit, and one of them can lock out the others.',
    look: ({ config: { trustedProxies, siteUrl } }) =>
      trustedProxies.length > 0 || !siteUrl?.startsWith('https:')
        ? ready(trustedProxies.length > 0 ? 'TRUSTED_PROXIES is set' : 'there is no proxy yet')
        : missing('set TRUSTED_PROXIES to the address of the proxy that speaks HTTPS, such as 127.0.0.1'),
  },
  {
    name: 'Way past the proxy',
    level: 'should',
    isOfServer: true,
    why: 'Whoever reaches the server itself talks to it without HTTPS.',
    look: ({ config: { host, port } }) =>
      isLoopback(host)
        ? ready(`it listens on ${host}, for this machine alone`)
        : missing(
            `it listens on ${host}; set HOST to 127.0.0.1, or let a firewall or container close port ${port}`,
          ),
  },
  {
    name: 'Rate limit',
    level: 'must',
    isOfServer: true,
    why: 'One program can fill the inbox and the disk.',
    look: ({ config: { isRateLimited } }) =>
      isRateLimited ? ready('RATE_LIMIT is on') : missing('RATE_LIMIT is off, which is for benches'),
  },
  {
    name: 'How long messages are kept',
    level: 'should',
    isOfServer: true,
    why: 'Personal data may be kept no longer than it is needed, and the privacy page states the period.',
    look({ config: { keep } }) {
      const forEver = [
        ...(keep.messagesDays === 0 ? ['KEEP_MESSAGES_DAYS'] : []),
        ...(keep.quarantineDays === 0 ? ['KEEP_QUARANTINE_DAYS'] : []),
      ];
      if (forEver.length > 0) return missing(`${forEver.join(' and ')} is 0: they are kept for ever`);
      return ready(`${keep.messagesDays} days, in quarantine ${keep.quarantineDays}`);
    },
  },
];
