import { type SettingsReader, wholeNumber } from './settings-reader.ts';
import { secretFormat, webhookSecret } from './webhook-settings.ts';

export type NewsletterSettings = {
  perSecond: number;
  /** Confirmation mails, to all addresses together. */
  maxPerHour: number;
  /** For signed calls about bounces and complaints; without one, none is accepted. */
  bounceSecrets: readonly Buffer[];
};

export function readNewsletterSettings(reader: SettingsReader): NewsletterSettings {
  const bounces = reader.secret('NEWSLETTER_WEBHOOK_SECRET', secretFormat, webhookSecret);
  // The name in version 0.1.0, for one release.
  const isFormerName = reader.isSet('NEWSLETTER_CEILING') && !reader.isSet('NEWSLETTER_MAX_PER_HOUR');
  return {
    perSecond: reader.read(
      'NEWSLETTER_RATE',
      5,
      'a whole number of mails per second from 1 to 1000',
      wholeNumber(1000, 1),
    ),
    maxPerHour: reader.read(
      isFormerName ? 'NEWSLETTER_CEILING' : 'NEWSLETTER_MAX_PER_HOUR',
      200,
      'a whole number of mails per hour from 1 to 100000',
      wholeNumber(100_000, 1),
    ),
    bounceSecrets: bounces ? [bounces] : [],
  };
}
