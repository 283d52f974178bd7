/** What browser and server agree on. Runs in both. */
export const contactPath = '/api/contact';

/** One per composed message: the same key with the same fields is stored once and gets the same reference again. */
export const idempotencyHeader = 'idempotency-key';

export type ContactResponse = { reference: string };

/** A signed token that proves the form's age, and the header that returns it. */
export const tokenPath = '/api/token';
export const tokenHeader = 'form-token';
export type TokenResponse = { token: string };

/** A contact form's post is redirected only to these. */
export const formPages = { contact: '/contact', services: '/creator' } as const;
export type FormName = keyof typeof formPages;

export const sentFragment = 'sent';
export const emptyFragment = 'empty';
export const notSentFragment = 'refused';
/** In the redirect: the post contained the tab's unsent message, which must not be sent a second time. */
export const hadUnsentQuery = 'waiting';

/** The field of a contact message with the id (not the token) of the report that it is about. */
export const auditReportField = 'report';
