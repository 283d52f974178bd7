import { decodeUri } from '../../lib/decode-uri.ts';
import { parseMailHeaderAddress } from '../../lib/email-address.ts';
import type { SmtpServer } from '../mail/smtp-transport.ts';
import { defineSettings } from './define-settings.ts';
import { isLoopback, onOff, parsedBy, wholeNumber } from './schemas.ts';

export const mailSettings = defineSettings(
  {
    SMTP_URL: {
      secret: parsedBy(
        parseSmtpUrl,
        'an address such as smtp://user:password@mail.example.com:587 or smtps://user:password@mail.example.com:465',
      ),
      about: `Mail server: smtp://user:password@host:587 (STARTTLS, required except on this machine) or
        smtps://user:password@host:465. @ / # and % in the password are written %40 %2F %23 %25. Unset:
        mails become .eml files in data/mail.`,
    },
    NOTIFY_EMAIL: {
      schema: parsedBy(parseMailHeaderAddress, 'one email address such as office@example.com'),
      about: 'Recipient of a mail for each message. Required with SMTP_URL.',
    },
    MAIL_FROM: {
      schema: parsedBy(parseMailHeaderAddress, 'one email address such as website@example.com'),
      about: 'Sender of these mails; by default NOTIFY_EMAIL.',
    },
    MAIL_RATE: {
      schema: wholeNumber({ min: 1, max: 1000, unit: 'mails per second' }),
      default: '5',
      about: 'Maximum mails a second.',
    },
    ACKNOWLEDGEMENT: {
      schema: onOff,
      default: 'off',
      about: `on: a visitor who leaves an email address gets a short mail that the message has arrived, at most
        one in 24 hours to a mailbox. Its text is content/emails/acknowledgement.md. Needs SMTP_URL.`,
    },
  },
  ({ SMTP_URL, NOTIFY_EMAIL, MAIL_FROM, MAIL_RATE, ACKNOWLEDGEMENT }, { isSet, addError }) => {
    if (isSet('SMTP_URL') && !isSet('NOTIFY_EMAIL')) {
      addError(
        'NOTIFY_EMAIL',
        'SMTP_URL is set, but NOTIFY_EMAIL is not: it is the recipient of each notification',
      );
    }
    if (ACKNOWLEDGEMENT && !isSet('SMTP_URL')) {
      addError(
        'ACKNOWLEDGEMENT',
        'ACKNOWLEDGEMENT is on, but SMTP_URL is not set: it is the mail server that sends it',
      );
    }
    // Without SMTP_URL no mail leaves this machine, so the addresses need not exist.
    const to = NOTIFY_EMAIL ?? 'owner@localhost';
    const from = MAIL_FROM ?? NOTIFY_EMAIL ?? 'website@localhost';
    return { smtp: SMTP_URL, to, from, perSecond: MAIL_RATE, isAcknowledging: ACKNOWLEDGEMENT };
  },
);

/** The name in EHLO, if the site has a public one. */
export function readOwnName(siteUrl: string | undefined): string | undefined {
  return /^[a-z0-9.-]+\.[a-z][a-z0-9-]*$/i.exec(URL.parse(siteUrl ?? '')?.hostname ?? '')?.[0];
}

const defaultPorts: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 };

function parseSmtpUrl(value: string): SmtpServer | undefined {
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
