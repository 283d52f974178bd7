import type { SettingsReader } from './settings-reader.ts';
import { webhookSecret, webhookSecretFormat } from './webhook-settings.ts';

export type NewsletterSettings = {
  perSecond: number;
  maxPerHour: number;
  bounceSecrets: readonly Buffer[];
};

export function readNewsletterSettings(reader: SettingsReader): NewsletterSettings {
  const bounces = reader.secret('NEWSLETTER_WEBHOOK_SECRET', webhookSecretFormat, webhookSecret);
  // The name in version 0.1.0, for one release.
  const isFormerName = reader.isSet('NEWSLETTER_CEILING') && !reader.isSet('NEWSLETTER_MAX_PER_HOUR');
  const maxPerHour = isFormerName ? 'NEWSLETTER_CEILING' : 'NEWSLETTER_MAX_PER_HOUR';
  return {
    perSecond: reader.number('NEWSLETTER_RATE', 5, { min: 1, max: 1000, unit: 'mails per second' }),
    maxPerHour: reader.number(maxPerHour, 200, { min: 1, max: 100_000, unit: 'mails per hour' }),
    bounceSecrets: bounces ? [bounces] : [],
  };
}
