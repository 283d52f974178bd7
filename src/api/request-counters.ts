export const requestKinds = ['contact', 'token', 'newsletter', 'step', 'bounces', 'health', 'other'] as const;
export type RequestKind = (typeof requestKinds)[number];

export const messageResults = [
  'stored',
  'quarantined',
  'empty',
  'repeated',
  'refused',
  'conflict',
  'limited',
  'busy',
  'failed',
] as const;
export type MessageResult = (typeof messageResults)[number];

export const newsletterActions = ['sign-up', 'confirm', 'unsubscribe', 'bounce'] as const;
export type NewsletterAction = (typeof newsletterActions)[number];
export const newsletterResults = ['done', 'refused', 'limited', 'busy', 'failed'] as const;
export type NewsletterResult = (typeof newsletterResults)[number];

export type RequestCounters = {
  request(kind: RequestKind, status: number, ms: number): void;
  message(result: MessageResult): void;
  newsletter(action: NewsletterAction, result: NewsletterResult): void;
};
