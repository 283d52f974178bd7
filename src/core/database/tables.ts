import type { Generated } from 'kysely';
import type { MessageFields } from '../../features/messages/message-fields.ts';

export const messageStates = ['new', 'answered', 'closed', 'empty', 'quarantined', 'spam'] as const;
export type MessageState = (typeof messageStates)[number];

/** Times are ISO 8601 text in UTC: they sort, and read the same from both databases. */
export type MessageRow = MessageFields & {
  reference: string;
  received_at: string;
  state: MessageState;
  idempotency_key: string | null;
  quarantine_reason: string;
  answered_at: string | null;
  closed_at: string | null;
  /** The audit report that the message is about. It may have been erased since, or never have existed. */
  audit_report: string | null;
};

/** What the owner wrote about a message. */
export type NoteRow = { reference: string; created_at: string; text: string };

/** `held` and `unconfirmed` are states of subscriber mail only: stopped by the owner, and possibly delivered. */
export const deliveryStates = [
  'waiting',
  'sending',
  'delivered',
  'failed',
  'held',
  'unconfirmed',
  'cancelled',
] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const deliveryKinds = ['message', 'notice', 'confirmation', 'issue'] as const;
export type DeliveryKindName = (typeof deliveryKinds)[number];

export type DeliveryTable = {
  reference: string;
  receiver: string;
  kind: DeliveryKindName;
  subscriber: string | null;
  issue: string | null;
  mailbox: string | null;
  network: string | null;
  payload: string | null;
  state: Generated<DeliveryState>;
  created_at: string;
  due_at: string;
  attempts: Generated<number>;
  lease: string | null;
  lease_until: string | null;
  /** An attempt ended without a response: it may have arrived. */
  is_ambiguous: Generated<number>;
  is_possible_duplicate: Generated<number>;
  last_failure: Generated<string>;
  settled_at: string | null;
};

export const subscriberStates = ['pending', 'confirmed', 'unsubscribed', 'suppressed'] as const;
export type SubscriberState = (typeof subscriberStates)[number];

/** `erased` ends when the person signs up again; the others, when the owner lifts them. */
export const suppressionReasons = ['bounce', 'complaint', 'owner', 'erased'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

export type SubscriberRow = {
  id: string;
  address: string | null;
  state: SubscriberState;
  /** The last unconfirmed request, which anyone can make: it does not change the earlier consent. */
  request_form: string;
  request_consent_text: string;
  requested_at: string | null;
  form: string;
  consent_text: string;
  consent_requested_at: string | null;
  mailed_at: string | null;
  confirmed_at: string | null;
  unsubscribed_at: string | null;
  suppressed_at: string | null;
  suppression_reason: SuppressionReason | '';
};

/** A newsletter request that has not been processed yet. All addresses are stored alike, so that timing reveals nothing. */
export type SignUpRow = {
  id: string;
  subscriber: string;
  address: string;
  form: string;
  consent_text: string;
  requested_at: string;
  /** A pseudonym: `ipv4:…`, `ipv6:…`, `unknown` or `import`. */
  network: string;
};

/** A result of the free audit, as JSON. Nothing in it is about the visitor who requested it. */
export type AuditReportRow = { id: string; domain: string; measured_at: string; report: string };

/** One visitor's link to a report, of which only the hash is known. */
export type AuditLinkRow = { hash: string; report: string; created_at: string; expires_at: string };

export type TokenRow = { hash: string; subscriber: string; expires_at: string };

export type ConsentTextRow = { id: string; text: string; first_used_at: string };

export type NewsletterIssueRow = {
  reference: string;
  name: string;
  /** A hash of the file: another text under the same name is an error. */
  hash: string;
  subject: string;
  html: string;
  text: string;
  queued_at: string;
  held_at: string | null;
};

export type AttemptRow = {
  reference: string;
  receiver: string;
  number: number;
  ended_at: string;
  state: DeliveryState;
  reason: string;
};

export const erasureLogActions = ['erase', 'erase-newsletter', 'erase-message', 'rectify', 'export'] as const;
type ErasureLogAction = (typeof erasureLogActions)[number];

/** A row of the table `audit`, and a line of erasures.ndjson. */
export type ErasureLogRow = {
  hash: string;
  action: ErasureLogAction;
  done_at: string;
  counts: string;
};

export type Tables = {
  messages: MessageRow & { search_text: string };
  notes: NoteRow;
  deliveries: DeliveryTable;
  attempts: AttemptRow;
  audit: ErasureLogRow;
  audit_reports: AuditReportRow;
  audit_links: AuditLinkRow;
  subscribers: SubscriberRow;
  sign_ups: SignUpRow;
  tokens: TokenRow;
  consent_texts: ConsentTextRow;
  newsletter_issues: NewsletterIssueRow;
  receivers: { name: string; paused_at: string | null; pause_reason: Generated<string> };
  secrets: { name: string; value: string; created_at: string };
  scheduled_runs: { name: string; done_at: string };
  rate_counts: { client: string; count: number; resets_at: string };
  throttles: { receiver: string; used_until: string };
  migrations: { name: string; applied_at: string };
  readiness: { id: number; checks: number };
};
