import { isExampleEmail, isExampleHost } from '../../../content/example-data.ts';
import { isLoopback } from '../../../server/settings/reader.ts';
import { type Check, missing, must, ready, serverOnly, should } from '../check.ts';

export const settingChecks: Check[] = [
  must(
    'Public address',
    'Letters, search engines and the pictures beside shared links need it, and browsers call a site without HTTPS not secure.',
    ({ config: { siteUrl } }) => {
      if (!siteUrl) return missing('set SITE_URL to the https address of the site');
      const { hostname, protocol } = new URL(siteUrl);
      if (isLoopback(hostname)) return missing(`SITE_URL is ${siteUrl}, which is this machine alone`);
      if (isExampleHost(hostname)) return missing(`SITE_URL is ${siteUrl}, which is an example`);
      if (protocol !== 'https:') return missing(`SITE_URL is ${siteUrl}; it must begin with https://`);
      return ready(siteUrl);
    },
  ),
  ...serverOnly(
    must(
      'Mail server',
      'Without one nobody is told of a message, and nobody can confirm the newsletter.',
      ({ config: { mail } }) =>
        mail.smtp
          ? ready(`${mail.smtp.host}, port ${mail.smtp.port}`)
          : missing('mails only become files in the data folder; set SMTP_URL'),
    ),
    must('Whom to tell', 'Messages wait unread until somebody looks for them.', ({ config: { mail } }) =>
      isExampleEmail(mail.to)
        ? missing(`mails go to ${mail.to}, which nobody reads; set NOTIFY_EMAIL`)
        : ready(`mails go to ${mail.to}`),
    ),
    must(
      'Sender of mails',
      'Mail servers turn away mail from an address that does not exist.',
      ({ config: { mail } }) =>
        isExampleEmail(mail.from)
          ? missing(`mails come from ${mail.from}; set MAIL_FROM, or NOTIFY_EMAIL alone`)
          : ready(`mails come from ${mail.from}`),
    ),
    should(
      'Sheet',
      'A file on this machine is seen by nobody else, and goes when the machine goes.',
      ({ config: { sheet } }) =>
        sheet.kind === 'file'
          ? missing('rows go to messages.csv on this machine alone; set SHEET_URL (docs/engineer/sheets.md)')
          : ready(`rows go to ${new URL(sheet.url).host}`),
    ),
    should(
      'Visitors behind the proxy',
      'Otherwise all visitors count as one for the rate limit, and one of them can lock out the others.',
      ({ config: { trustedProxies, siteUrl } }) =>
        trustedProxies.length > 0 || !siteUrl?.startsWith('https:')
          ? ready(trustedProxies.length > 0 ? 'TRUSTED_PROXIES is set' : 'there is no proxy yet')
          : missing('set TRUSTED_PROXIES to the address of the proxy that speaks HTTPS, such as 127.0.0.1'),
    ),
    should(
      'Way past the proxy',
      'Whoever reaches the server itself talks to it without HTTPS.',
      ({ config: { host, port } }) =>
        isLoopback(host)
          ? ready(`it listens on ${host}, for this machine alone`)
          : missing(
              `it listens on ${host}; set HOST to 127.0.0.1, or let a firewall or container close port ${port}`,
            ),
    ),
    must('Rate limit', 'One program can fill the inbox and the disk.', ({ config: { isRateLimited } }) =>
      isRateLimited ? ready('RATE_LIMIT is on') : missing('RATE_LIMIT is off, which is for benches'),
    ),
    should(
      'How long messages are kept',
      'Personal data may be kept no longer than it is needed, and the privacy page states the period.',
      ({ config: { retention } }) => {
        const forEver = [
          ...(retention.messagesDays === 0 ? ['KEEP_MESSAGES_DAYS'] : []),
          ...(retention.quarantineDays === 0 ? ['KEEP_QUARANTINE_DAYS'] : []),
        ];
        if (forEver.length > 0) return missing(`${forEver.join(' and ')} is 0: they are kept for ever`);
        return ready(`${retention.messagesDays} days, in quarantine ${retention.quarantineDays}`);
      },
    ),
  ),
];
