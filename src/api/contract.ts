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

/** A form names itself in this hidden field, so that a post without JavaScript comes back to its own page. */
export const formField = 'form';

/** In this hidden field a post without JavaScript of ours brings the message that waits in its tab, with its key. */
export const unsentField = 'unsent';

/** The only places a form post is ever redirected to. */
export const formPages = { contact: '/contact', services: '/creator', newsletter: '/contact' } as const;
export type FormName = keyof typeof formPages;

export const sentFragment = 'sent';
export const refusedFragment = 'refused';
/** In the address of an answer: a copy of a waiting message came along, and must not be sent beside what was posted. */
export const waitingQuery = 'waiting';

/** RFC 9457, with the field that was refused, and why, where there is one. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  field?: string;
  reason?: string;
  requestId?: string;
};
