export type PageSettings = {
  SITE_URL: string;
  /** If set, the site is built for a static host, and browsers post messages to this URL. */
  CONTACT_ENDPOINT: string;
  NEWSLETTER_ENDPOINT: string;
  KEEP_MESSAGES_DAYS: string;
  KEEP_QUARANTINE_DAYS: string;
  /** 'off' if the audit is switched off, which its page then says in place of the form. */
  AUDIT: string;
  /** The optional features that the owner has switched off, separated by spaces. */
  OFF: string;
};
