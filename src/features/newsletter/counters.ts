import type { CounterType, LabelsOf } from '../../core/http/request-counters.ts';

export const newsletterCounter = {
  name: 'wardhouse_newsletter_total',
  help: 'Newsletter requests.',
  labels: {
    action: ['sign-up', 'confirm', 'unsubscribe', 'bounce'],
    result: ['done', 'invalid', 'rate-limited', 'busy', 'failed'],
  },
} as const satisfies CounterType;

export type NewsletterResult = LabelsOf<typeof newsletterCounter>['result'];
