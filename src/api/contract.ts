/** What browser and server agree on. Runs in both: no Node, no React, no schema library. */
export const contactPath = '/api/contact';

/** A form writes many letters as nine bytes, and may carry a copy of the message that waits in the tab. */
export const limits = { body: 64 * 1024, form: 384 * 1024, email: 254 } as const;

/** The fields of a contact message; each is optional text. */
export const messageFields = ['name', 'email', 'message', 'service'] as const;
export type MessageInput = Record<(typeof messageFields)[number], string>;

/** One per composed message: the same key with the same fields is stored once and gets the same reference again. */
export const idempotencyHeader = 'idempotency-key';

export type ContactAnswer = { reference: string };

/** A field that nobody sees: no visitor writes into it. Its name means nothing, so that no browser fills it in. */
export const trapField = 'w4e';

/** Where a page asks for the token that says since when it stood open, and the header that brings it back. */
export const tokenPath = '/api/token';
export const tokenHeader = 'form-token';
export type TokenAnswer = { token: string };

/** A form names itself in this hidden field, so that a post without JavaScript comes back to its own page. */
export const formField = 'form';

/** In this hidden field a post without JavaScript of ours brings the message that waits in its tab, with its key. */
export const unsentField = 'unsent';

/** The only places a contact form's post is ever redirected to. */
export const formPages = { contact: '/contact', services: '/creator' } as const;
export type FormName = keyof typeof formPages;

export const sentFragment = 'sent';
export const refusedFragment = 'refused';
/** In the address of an answer: a copy of a waiting message came along, and must not be sent beside what was posted. */
export const waitingQuery = 'waiting';

/** Asks for the newsletter. The answer is the same for every address that mail could reach. */
export const newsletterPath = '/api/newsletter';
/** Where a mail provider tells of mail that came back or was complained about. */
export const bouncesPath = '/api/newsletter/bounces';

/** Every page that can be found, by name. */
export const pagePaths = {
  home: '/',
  services: '/creator',
  contact: '/contact',
  privacy: '/privacy',
  faq: '/faq',
  terms: '/terms-and-condition',
  security: '/security',
  blog: '/blog',
} as const;

/** Where a visitor may ask for the newsletter: the two boxes, and the one on the pages below. */
export const newsletterForms = ['home', 'footer', 'newsletter'] as const;
export type NewsletterForm = (typeof newsletterForms)[number];

/** In this hidden field a box names the words that stood under it: proof of what was agreed to. */
export const wordingField = 'wording';

export type NewsletterInput = { email: string; form: string; wording: string };

export const checkInbox = 'Check your inbox to confirm';
export type NewsletterAnswer = { message: typeof checkInbox };

/**
 * The pages on the way into the newsletter and out of it, and the only places that its posts are redirected to. Those of
 * `confirm` and `leave` are one button each: its form has no action, so it posts to the page's own address with whatever
 * the link brought along.
 */
export const stepPaths = {
  asked: '/newsletter/asked',
  refused: '/newsletter/refused',
  confirm: '/newsletter/confirm',
  confirmed: '/newsletter/confirmed',
  expired: '/newsletter/expired',
  leave: '/newsletter/leave',
  left: '/newsletter/left',
  'not-left': '/newsletter/not-left',
  later: '/newsletter/later',
} as const;
export type NewsletterStep = keyof typeof stepPaths;

/** What the links in our mails bring along. */
export const tokenQuery = 'token';
export const leaveQuery = { id: 'id', key: 'key' } as const;

/** RFC 9457, with the field that was refused, and why, where there is one. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  field?: string;
  reason?: string;
  requestId?: string;
};
