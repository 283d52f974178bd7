import { type Reader, wholeNumber } from './reader.ts';
import { secretForm, webhookSecret } from './webhook.ts';

export type NewsletterSettings = {
  /** Mails of an issue. */
  perSecond: number;
  /** Confirmation letters an hour, to everybody together. */
  ceiling: number;
  /** Calls about bounces and complaints are signed with one of these; without any, none is taken. */
  bounceSecrets: readonly Buffer[];
};

export function readNewsletterSettings(reader: Reader): NewsletterSettings {
  const bounces = reader.secret('NEWSLETTER_WEBHOOK_SECRET', secretForm, webhookSecret);
  return {
    perSecond: reader.read(
      'NEWSLETTER_RATE',
      5,
      'a whole number of mails per second from 1 to 1000',
      wholeNumber(1000, 1),
    ),
    ceiling: reader.read(
      'NEWSLETTER_CEILING',
      200,
      'a whole number of letters per hour from 1 to 100000',
      wholeNumber(100_000, 1),
    ),
    bounceSecrets: bounces ? [bounces] : [],
  };
}
