import type { MailReceiverSettings } from '../../deliveries/mail/mail-receiver.ts';
import type { SmtpServer } from '../../deliveries/mail/smtp-transport.ts';
import { decodeUri } from '../../lib/decode-uri.ts';
import { parseMailHeaderAddress } from '../../lib/email-address.ts';
import { isLoopback, type SettingsReader } from './settings-reader.ts';

/** Without SMTP_URL no mail leaves this machine, so the addresses need not exist. */
export function readMailSettings(reader: SettingsReader, siteUrl: string | undefined): MailReceiverSettings {
  const smtp = reader.secret(
    'SMTP_URL',
    'an address such as smtp://user:password@mail.example.com:587 or smtps://user:password@mail.example.com:465',
    smtpServer,
  );
  if (reader.isSecretSet('SMTP_URL') && !reader.isSet('NOTIFY_EMAIL')) {
    reader.addError('SMTP_URL is set, but NOTIFY_EMAIL is not: it is the recipient of each notification');
  }
  const owner = reader.read(
    'NOTIFY_EMAIL',
    'one email address such as office@example.com',
    parseMailHeaderAddress,
  );
  const from = reader.read(
    'MAIL_FROM',
    'one email address such as website@example.com',
    parseMailHeaderAddress,
  );
  const ownName = siteUrl && publicName(siteUrl);
  return {
    smtp: smtp && { ...smtp, ...(ownName ? { ownName } : {}) },
    to: owner || 'owner@localhost',
    from: from || owner || 'website@localhost',
    perSecond: reader.number('MAIL_RATE', 5, { min: 1, max: 1000, unit: 'mails per second' }),
  };
}

function publicName(siteUrl: string): string | undefined {
  return /^[a-z0-9.-]+\.[a-z][a-z0-9-]*$/i.exec(URL.parse(siteUrl)?.hostname ?? '')?.[0];
}

const defaultPorts: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 };

function smtpServer(value: string): SmtpServer | undefined {
  const url = URL.parse(value);
  if (!url || !Object.hasOwn(defaultPorts, url.protocol)) return undefined;
  const port = Number(url.port) || defaultPorts[url.protocol];
  if (!port || !/^([a-z0-9.-]{1,253}|\[[0-9a-f:.]+\])$/i.test(url.hostname)) return undefined;
  if (!/^\/?$/.test(url.pathname) || url.search || url.hash || !url.username !== !url.password)
    return undefined;
  const [user, password] = [decodeUri(url.username), decodeUri(url.password)];
  if (user === undefined || password === undefined) return undefined;
  const encryption = url.protocol === 'smtps:' ? 'tls' : isLoopback(url.hostname) ? 'none' : 'starttls';
  const host = url.hostname.replaceAll(/[[\]]/g, '');
  return { host, port, encryption, ...(user ? { login: { user, password } } : {}) };
}
