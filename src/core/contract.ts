import type { AuditGrade, CheckGroup, CheckStatus } from '../features/audit/terms.ts';

/** What browser and server agree on. Runs in both: no Node, no React, no schema library. */
export const contactPath = '/api/contact';

/** Urlencoding writes many characters as nine bytes, and a form may contain a copy of an unsent message. */
export const limits = { maxBodyBytes: 64 * 1024, maxFormBytes: 384 * 1024, maxEmailLength: 254 } as const;

/** One per composed message: the same key with the same fields is stored once and gets the same reference again. */
export const idempotencyHeader = 'idempotency-key';

export type ContactResponse = { reference: string };

/** The honeypot: a hidden field that visitors leave empty. Its name means nothing, so that autofill skips it. */
export const honeypotField = 'w4e';

/** A signed token that proves the form's age, and the header that returns it. */
export const tokenPath = '/api/token';
export const tokenHeader = 'form-token';
export type TokenResponse = { token: string };

/** The hidden field with the form's name: a post without JavaScript is redirected to that form's page. */
export const formField = 'form';

/** The hidden field with the tab's unsent message and its idempotency key, for a post without JavaScript. */
export const unsentField = 'unsent';

/** A contact form's post is redirected only to these. */
export const formPages = { contact: '/contact', services: '/creator' } as const;
export type FormName = keyof typeof formPages;

export const sentFragment = 'sent';
export const emptyFragment = 'empty';
export const notSentFragment = 'refused';
/** In the redirect: the post contained the tab's unsent message, which must not be sent a second time. */
export const hadUnsentQuery = 'waiting';

/** Signs up for the newsletter. The response is the same for known and unknown addresses. */
export const signUpPath = '/api/newsletter';
/** The webhook for a mail provider's bounces and complaints. */
export const bouncesPath = '/api/newsletter/bounces';

/** The free audit: `page` is indexed; a report's address is `report` and a token. */
export const auditPaths = { page: '/audit', about: '/audit/about', report: '/audit/report' } as const;
/** Posted by the script; answers with one AuditEvent a line. Without JavaScript the form posts to its own page. */
export const auditApiPath = '/api/audit';
/** The server replaces what is between these comments of the page `report` by a report or its progress. */
export const auditTemplate = { start: '<!--report-->', end: '<!--/report-->' } as const;
/** Fields of the forms without JavaScript. A refusal is a redirect to the page with its AuditFailure as the fragment. */
export const auditFields = { domain: 'domain', action: 'action', delete: 'delete' } as const;
/** In the redirect after a report was deleted. */
export const deletedFragment = 'deleted';
/** The field of a contact message with the id (not the token) of the report that it is about. */
export const auditReportField = 'report';

/** The words of `check` and `finding` are in content/audit.yaml; `values` fill their placeholders. */
export type AuditResult = {
  check: string;
  group: CheckGroup;
  status: CheckStatus;
  finding: string;
  values: Record<string, string>;
  evidence: string[];
};

export type AuditReport = {
  /** For a contact message about it: it opens nothing. */
  id: string;
  domain: string;
  measuredAt: string;
  /** Of what could be measured, from 0 to 100; null where nothing could. */
  score: number | null;
  grade: AuditGrade | null;
  /** Ids of `caps` in content/audit.yaml: why the grade is worse than the points. */
  caps: string[];
  groups: { group: CheckGroup; score: number | null }[];
  /** Ids of the checks to act on first, at most three. */
  first: string[];
  results: AuditResult[];
};

export type AuditEvent =
  | { type: 'waiting'; ahead: number; seconds: number }
  | { type: 'started'; checks: { check: string; group: CheckGroup }[] }
  | { type: 'result'; result: AuditResult }
  /** `path` is this visitor's own link; `ageSeconds` is over 0 for a result that was measured earlier. */
  | { type: 'report'; report: AuditReport; path: string; ageSeconds: number }
  | { type: 'failed'; reason: AuditFailure };

/** Why there is no report; the words are in content/audit.yaml. */
export type AuditFailure =
  | 'invalid-domain'
  | 'not-offered'
  | 'too-many'
  | 'checked-recently'
  | 'busy'
  | 'off'
  | 'no-answer'
  | 'unexpected';

/** Every indexed page. */
export const pagePaths = {
  home: '/',
  services: '/creator',
  contact: '/contact',
  privacy: '/privacy',
  faq: '/faq',
  terms: '/terms-and-condition',
  security: '/security',
  sample: '/sample-report',
  blog: '/blog',
  audit: auditPaths.page,
  'audit-about': auditPaths.about,
} as const;

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

/** A problem document (RFC 9457), with the invalid field and the reason where there is one. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  field?: string;
  reason?: string;
  requestId?: string;
};
