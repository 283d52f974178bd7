/** Every setting that the pages show, by the name the owner knows it by. A build is made for one set of them. */
export type PageSettings = {
  SITE_URL: string;
  /** Where the browser posts messages itself; set, it makes the site one for hosts without a server. */
  CONTACT_ENDPOINT: string;
  NEWSLETTER_ENDPOINT: string;
  /** For how long messages are kept; 0 is for ever. */
  KEEP_MESSAGES_DAYS: string;
  KEEP_QUARANTINE_DAYS: string;
  /** Whether pages tell how often they are shown: on or off. */
  VIEWS: string;
};
