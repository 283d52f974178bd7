/** What is counted of the API. None of these words is ever a visitor's: they are few, and stay few. */
export const requestKinds = [
  'contact',
  'token',
  'newsletter',
  'step',
  'bounces',
  'reports',
  'views',
  'health',
  'other',
] as const;
export type RequestKind = (typeof requestKinds)[number];

/** `limited`: from somebody who sends too often. `busy`: too many waited. `failed`: the database did not take it. */
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

export const newsletterActs = ['ask', 'confirm', 'leave', 'bounce'] as const;
export type NewsletterAct = (typeof newsletterActs)[number];
export const newsletterResults = ['done', 'refused', 'limited', 'busy', 'failed'] as const;
export type NewsletterResult = (typeof newsletterResults)[number];

/** `declined`: by a browser that asks not to be counted. `limited`: from somebody who looks too often to be one. */
export const viewResults = ['view', 'message', 'declined', 'robot', 'limited', 'unreadable'] as const;
export type ViewResult = (typeof viewResults)[number];

/** Told of each request, and of what became of what it brought. */
export type Tally = {
  request(kind: RequestKind, status: number, ms: number): void;
  message(result: MessageResult): void;
  newsletter(act: NewsletterAct, result: NewsletterResult): void;
  view(result: ViewResult): void;
};
