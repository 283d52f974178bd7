import { domainToASCII } from 'node:url';
import type { MailReceiverSettings } from '../../deliveries/mail/mail-receiver.ts';
import type { SmtpServer } from '../../deliveries/mail/smtp-transport.ts';
import { isLoopback, type SettingsReader, wholeNumber } from './settings-reader.ts';

/** Without SMTP_URL no mail leaves this machine, so the addresses need not exist. */
export function readMailSettings(
  reader: SettingsReader,
  site: { siteUrl: string | undefined },
): MailReceiverSettings {
  const smtp = reader.secret(
    'SMTP_URL',
    'an address such as smtp://user:password@mail.example.com:587 or smtps://user:password@mail.example.com:465',
    smtpServer,
  );
  if (reader.isSet('SMTP_URL') && !reader.isSet('NOTIFY_EMAIL')) {
    reader.addError('SMTP_URL is set, but NOTIFY_EMAIL is not: it is the recipient of each notification');
  }
  const owner = reader.read('NOTIFY_EMAIL', '', 'one e-mail address such as office@example.com', mailAddress);
  const from = reader.read('MAIL_FROM', '', 'one e-mail address such as website@example.com', mailAddress);
  const ownName = site.siteUrl && publicName(site.siteUrl);
  return {
    smtp: smtp && { ...smtp, ...(ownName ? { ownName } : {}) },
    to: owner || 'owner@localhost',
    from: from || owner || 'website@localhost',
    perSecond: reader.read(
      'MAIL_RATE',
      5,
      'a whole number of mails per second from 1 to 1000',
      wholeNumber(1000, 1),
    ),
  };
}

/** Some servers distrust an IP address or a local name in EHLO. */
function publicName(siteUrl: string): string | undefined {
  return /^[a-z0-9.-]+\.[a-z][a-z0-9-]*$/i.exec(URL.parse(siteUrl)?.hostname ?? '')?.[0];
}

const defaultPorts: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 };

/** smtps is TLS from the first byte, smtp needs STARTTLS except on this machine. */
function smtpServer(value: string): SmtpServer | undefined {
  const url = URL.parse(value);
  if (!url || !Object.hasOwn(defaultPorts, url.protocol)) return undefined;
  const port = Number(url.port) || defaultPorts[url.protocol];
  if (!port || !/^([a-z0-9.-]{1,253}|\[[0-9a-f:.]+\])$/i.test(url.hostname)) return undefined;
  if (!/^\/?$/.test(url.pathname) || url.search || url.hash || !url.username !== !url.password)
    return undefined;
  const login = decodeLogin(url);
  if (!login) return undefined;
  const encryption = url.protocol === 'smtps:' ? 'tls' : isLoopback(url.hostname) ? 'none' : 'starttls';
  const host = url.hostname.replaceAll(/[[\]]/g, '');
  return { host, port, encryption, ...(login.user ? { login } : {}) };
}

function decodeLogin({ username, password }: URL): { user: string; password: string } | undefined {
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}

function mailAddress(value: string): string | undefined {
  const [, local, domain] = /^([a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64})@([^\s@]{1,253})$/i.exec(value) ?? [];
  const host = domain && domainToASCII(domain);
  return host && /^[a-z0-9.-]+$/.test(host) ? `${local}@${host}` : undefined;
}
