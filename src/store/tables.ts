import type { Generated } from 'kysely';

export const messageStates = ['new', 'empty', 'quarantined', 'spam'] as const;
export type MessageState = (typeof messageStates)[number];

/** Times are ISO 8601 text in UTC: they sort, and read the same from both databases. */
export type MessageRow = {
  reference: string;
  received_at: string;
  state: MessageState;
  name: string;
  email: string;
  message: string;
  service: string;
  /** A keyed hash of the idempotency key. */
  idempotency_key: string | null;
  quarantine_reason: string;
};

/** Of mail to subscribers only: `held` by the owner; `unconfirmed`: it may have arrived, and is not sent again by itself. */
export const deliveryStates = [
  'waiting',
  'sending',
  'delivered',
  'failed',
  'held',
  'unconfirmed',
  'dropped',
] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const deliveryKinds = ['message', 'notice', 'confirmation', 'issue'] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

export type DeliveryTable = {
  reference: string;
  receiver: string;
  kind: DeliveryKind;
  subscriber: string | null;
  issue: string | null;
  /** Pseudonyms, of confirmations only. */
  mailbox: string | null;
  network: string | null;
  payload: string | null;
  state: Generated<DeliveryState>;
  created_at: string;
  due_at: string;
  attempts: Generated<number>;
  lease: string | null;
  lease_until: string | null;
  /** An attempt ended without an answer: it may have arrived. */
  is_ambiguous: Generated<number>;
  /** It was sent again after that, to a receiver that does not deduplicate. */
  is_possibly_twice: Generated<number>;
  last_failure: Generated<string>;
  settled_at: string | null;
};

export const subscriberStates = ['pending', 'confirmed', 'unsubscribed', 'suppressed'] as const;
export type SubscriberState = (typeof subscriberStates)[number];

/** `erased` ends when the person signs up again; the others, when the owner lifts them. */
export const suppressionReasons = ['bounce', 'complaint', 'owner', 'erased'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

export type SubscriberRow = {
  /** A keyed hash of the address. */
  id: string;
  address: string | null;
  state: SubscriberState;
  /** The last unconfirmed request. Anyone can make one, so it does not change the earlier consent. */
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

/** A request until it is admitted, stored with the same work for every address. */
export type SignUpRow = {
  id: string;
  subscriber: string;
  address: string;
  form: string;
  consent_text: string;
  requested_at: string;
  /** A pseudonym of the network that asked: `ipv4:…`, `ipv6:…`, or `unknown`. */
  network: string;
};

export type TokenRow = { hash: string; subscriber: string; expires_at: string };

export type ConsentTextRow = { id: string; text: string; first_used_at: string };

export type NewsletterIssueRow = {
  reference: string;
  name: string;
  /** Of the file: another text under the same name is an error. */
  digest: string;
  subject: string;
  html: string;
  text: string;
  queued_at: string;
  held_at: string | null;
};

/** `state` is what the attempt left the delivery in. */
export type AttemptRow = {
  reference: string;
  receiver: string;
  number: number;
  ended_at: string;
  state: DeliveryState;
  why: string;
};

export const auditActions = ['erase', 'erase-newsletter', 'erase-message', 'rectify', 'export'] as const;
type AuditAction = (typeof auditActions)[number];

export type AuditRow = {
  /** A keyed hash of an address, or of a message's reference. */
  hash: string;
  action: AuditAction;
  done_at: string;
  counts: string;
};

/** `refusals`: in a row, since the last acceptance. `probed_at`: when a failing one last got what was never tried. */
type ReceiverTable = {
  name: string;
  paused_at: string | null;
  paused_why: Generated<string>;
  refusals: Generated<number>;
  failing_at: string | null;
  failing_why: Generated<string>;
  probed_at: string | null;
};

export type Tables = {
  messages: MessageRow;
  deliveries: DeliveryTable;
  attempts: AttemptRow;
  audit: AuditRow;
  subscribers: SubscriberRow;
  sign_ups: SignUpRow;
  tokens: TokenRow;
  consent_texts: ConsentTextRow;
  newsletter_issues: NewsletterIssueRow;
  receivers: ReceiverTable;
  secrets: { name: string; value: string; created_at: string };
  scheduled_runs: { name: string; done_at: string };
  rate_counts: { client: string; count: number; resets_at: string };
  throttles: { receiver: string; used_until: string };
  migrations: { name: string; applied_at: string };
  readiness: { id: number; checks: number };
};

/** The database may contain tables and views of other applications. */
export const tableNames: readonly string[] = Object.keys({
  messages: true,
  deliveries: true,
  attempts: true,
  audit: true,
  subscribers: true,
  sign_ups: true,
  tokens: true,
  consent_texts: true,
  newsletter_issues: true,
  receivers: true,
  secrets: true,
  scheduled_runs: true,
  rate_counts: true,
  throttles: true,
  migrations: true,
  readiness: true,
} satisfies Record<keyof Tables, true>);
