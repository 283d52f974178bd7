import { defineSettings } from '../../core/settings/define-settings.ts';
import { webhookSecret, wholeNumber } from '../../core/settings/schemas.ts';

export const newsletterSettings = defineSettings(
  {
    NEWSLETTER_RATE: {
      schema: wholeNumber({ min: 1, max: 1000, unit: 'mails per second' }),
      default: '5',
      about: 'Maximum newsletter mails a second.',
    },
    NEWSLETTER_MAX_PER_HOUR: {
      schema: wholeNumber({ min: 1, max: 100_000, unit: 'mails per hour' }),
      default: '200',
      about: `Maximum confirmation mails an hour, to all addresses together. Beyond it requests wait, and you are
        told.`,
    },
    NEWSLETTER_WEBHOOK_SECRET: {
      secret: webhookSecret,
      about: `Secret of the mail provider's webhook for bounces and complaints, whsec_…
        (docs/engineer/newsletter.md). Unset: no webhook.`,
    },
  },
  values => ({
    perSecond: values.NEWSLETTER_RATE,
    maxPerHour: values.NEWSLETTER_MAX_PER_HOUR,
    bounceSecrets: [values.NEWSLETTER_WEBHOOK_SECRET].filter(secret => secret !== undefined),
  }),
);
