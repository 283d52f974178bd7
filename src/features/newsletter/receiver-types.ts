import type { ReceiverType } from '../../core/outbox/delivery.ts';

const showWaiting = 'newsletter -- status';

/** Two queues, so that a confirmation does not wait behind a whole issue. */
export const receiverTypes = {
  confirmations: {
    name: 'confirmations',
    label: 'Newsletter: confirmations',
    recipients: 'people who signed up for the newsletter',
    isFailingReported: true,
    showWaiting,
  },
  issues: {
    name: 'newsletter',
    label: 'Newsletter: issues',
    recipients: 'newsletter subscribers',
    isFailingReported: true,
    showWaiting,
  },
} as const satisfies Record<string, ReceiverType>;
