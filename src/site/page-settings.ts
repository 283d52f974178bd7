export type PageSettings = {
  SITE_URL: string;
  /** Set, it makes the site one for static hosts: browsers post messages there. */
  CONTACT_ENDPOINT: string;
  NEWSLETTER_ENDPOINT: string;
  KEEP_MESSAGES_DAYS: string;
  KEEP_QUARANTINE_DAYS: string;
};
