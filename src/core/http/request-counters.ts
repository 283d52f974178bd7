export const messageResults = [
  'stored',
  'quarantined',
  'empty',
  'duplicate',
  'invalid',
  'conflict',
  'rate-limited',
  'busy',
  'failed',
] as const;
export type MessageResult = (typeof messageResults)[number];

export const newsletterActions = ['sign-up', 'confirm', 'unsubscribe', 'bounce'] as const;
export type NewsletterAction = (typeof newsletterActions)[number];
export const newsletterResults = ['done', 'invalid', 'rate-limited', 'busy', 'failed'] as const;
export type NewsletterResult = (typeof newsletterResults)[number];

/** A report that was measured now or earlier, or why there was none. */
export const auditOutcomes = [
  'live',
  'cached',
  'invalid-domain',
  'not-offered',
  'too-many',
  'checked-recently',
  'busy',
  'off',
  'no-answer',
  'unexpected',
] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

export type RequestCounters = {
  /** `kind`: of an endpoint. */
  request(kind: string, status: number, ms: number): void;
  message(result: MessageResult): void;
  newsletter(action: NewsletterAction, result: NewsletterResult): void;
  audit(outcome: AuditOutcome): void;
};
