import { type SettingsReader, wholeNumber } from './settings-reader.ts';
import { secretFormat, webhookSecret } from './webhook-settings.ts';

export type NewsletterSettings = {
  perSecond: number;
  ceiling: number;
  /** For signed calls about bounces and complaints; without one, none is accepted. */
  bounceSecrets: readonly Buffer[];
};

export function readNewsletterSettings(reader: SettingsReader): NewsletterSettings {
  const bounces = reader.secret('NEWSLETTER_WEBHOOK_SECRET', secretFormat, webhookSecret);
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
      'a whole number of mails per hour from 1 to 100000',
      wholeNumber(100_000, 1),
    ),
    bounceSecrets: bounces ? [bounces] : [],
  };
}
