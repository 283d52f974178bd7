/** What browser and server agree on. Runs in both. Signs up; the response is the same for known and unknown addresses. */
export const signUpPath = '/api/newsletter';
/** The webhook for a mail provider's bounces and complaints. */
export const bouncesPath = '/api/newsletter/bounces';

/** The newsletter forms: on the home page, in the footer, and on the newsletter's own pages. */
export const newsletterForms = ['home', 'footer', 'newsletter'] as const;
export type NewsletterFormName = (typeof newsletterForms)[number];

/** The hidden field with the id of the consent text that the form showed: proof of consent. */
export const consentTextField = 'wording';

export type NewsletterInput = { email: string; form: string; wording: string };

export const signUpMessage = 'Check your inbox to confirm';
export type NewsletterResponse = { message: typeof signUpMessage };

/** Newsletter pages, to which its posts are redirected. `confirm` and `unsubscribe` post to their own address, query included. */
export const newsletterPaths = {
  requested: '/newsletter/asked',
  invalid: '/newsletter/refused',
  confirm: '/newsletter/confirm',
  confirmed: '/newsletter/confirmed',
  expired: '/newsletter/expired',
  unsubscribe: '/newsletter/leave',
  unsubscribed: '/newsletter/left',
  unsubscribeFailed: '/newsletter/not-left',
  unavailable: '/newsletter/later',
} as const;
export type NewsletterPage = keyof typeof newsletterPaths;

/** Query parameters of the links in newsletter mail. */
export const tokenQuery = 'token';
export const unsubscribeQuery = { id: 'id', key: 'key' } as const;
