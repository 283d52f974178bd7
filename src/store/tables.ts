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
  /** A keyed hash of the key that makes the same message sent again the same message. */
  idempotency_key: string | null;
  quarantine_reason: string;
};

/**
 * `dead`: given up. `dropped`: no longer wanted by whoever it was for, or marked as spam. Only letters to readers have
 * the others. `held`: waits until the owner lets it go. `unsure`: it may have arrived, and is not sent again by itself.
 */
export const deliveryStates = [
  'waiting',
  'sending',
  'delivered',
  'dead',
  'held',
  'unsure',
  'dropped',
] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** `confirmation` and `issue` are letters to a reader of the newsletter. */
export const deliveryKinds = ['message', 'notice', 'confirmation', 'issue'] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

/** One message, one notice of the site's own or one letter, on its way to one receiver. */
export type DeliveryTable = {
  reference: string;
  receiver: string;
  kind: DeliveryKind;
  /** Whom a letter is for, and which issue it brings. */
  subscriber: string | null;
  issue: string | null;
  /** Pseudonyms, of a confirmation alone: whose mailbox it is for, and which network asked for it. */
  mailbox: string | null;
  network: string | null;
  /** The words of a notice; a message's are in its own table alone. */
  payload: string | null;
  state: Generated<DeliveryState>;
  created_at: string;
  due_at: string;
  attempts: Generated<number>;
  /** Whoever holds the lease may settle it, until it runs out. */
  lease: string | null;
  lease_until: string | null;
  /** An attempt ended without an answer: it may have arrived. */
  is_ambiguous: Generated<number>;
  /** It was sent again after that, to a receiver that cannot tell. */
  is_possibly_twice: Generated<number>;
  last_failure: Generated<string>;
  settled_at: string | null;
};

export const subscriberStates = ['pending', 'confirmed', 'unsubscribed', 'suppressed'] as const;
export type SubscriberState = (typeof subscriberStates)[number];

/** Why nothing is sent there. `erased` alone ends when the person asks anew; the others, when the owner says so. */
export const suppressionReasons = ['bounce', 'complaint', 'owner', 'erased'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

/** One per address. What is left of an erased one is its id, its state, and why and since when it is suppressed. */
export type SubscriberRow = {
  /** A keyed hash of the address: it says which address it is only to whoever has that address and the key. */
  id: string;
  address: string | null;
  state: SubscriberState;
  /** The last request that is not confirmed. Anybody can make one, so it touches nothing of what was agreed to before. */
  request_form: string;
  request_wording: string;
  requested_at: string | null;
  /** Where consent was given: home, footer, newsletter, or what an import says. */
  form: string;
  /** Which words stood there: the id of a wording. */
  wording: string;
  asked_at: string | null;
  /** When the last confirmation letter was put on its way. */
  mailed_at: string | null;
  confirmed_at: string | null;
  left_at: string | null;
  suppressed_at: string | null;
  suppressed_why: SuppressionReason | '';
};

/** A request as it came in, until it is looked at: the same work for every address. */
export type SignUpRow = {
  id: string;
  subscriber: string;
  address: string;
  form: string;
  wording: string;
  asked_at: string;
  /** A pseudonym of the network that asked: `ipv4:…`, `ipv6:…`, or `unknown`. */
  network: string;
};

/** What confirms an address, as a hash. */
export type TokenRow = { hash: string; subscriber: string; expires_at: string };

/** Words under a newsletter box, kept for as long as somebody agreed to them. */
export type WordingRow = { id: string; text: string; first_used_at: string };

/** A newsletter as it is sent, but for each reader's own link. */
export type IssueRow = {
  reference: string;
  /** The file's name, without its ending: an issue of one name is sent once. */
  name: string;
  /** Of the file: other words under the same name are a mistake. */
  digest: string;
  subject: string;
  html: string;
  text: string;
  queued_at: string;
  /** Since when its owner has stopped it: what fails meanwhile is held as well. */
  held_at: string | null;
};

/** One attempt to pass a message on, in the order they were made; `state` is what it left the delivery in. */
export type AttemptRow = {
  reference: string;
  receiver: string;
  number: number;
  ended_at: string;
  state: DeliveryState;
  why: string;
};

export const auditActions = ['erase', 'erase-newsletter', 'erase-message', 'rectify', 'export'] as const;
export type AuditAction = (typeof auditActions)[number];

/** What was done about somebody's rights. It says about whom only to whoever has their address and our key. */
export type AuditRow = {
  /** A keyed hash of an address, or of a message's reference. */
  hash: string;
  action: AuditAction;
  done_at: string;
  /** How much of what, as JSON: {"messages":2,"files":1} */
  counts: string;
};

export const viewKinds = ['view', 'message'] as const;
export type ViewKind = (typeof viewKinds)[number];

/** How often a page was shown on a day, or a message sent by somebody whom a campaign had led here. */
export type ViewRow = {
  day: string;
  kind: ViewKind;
  /** Of a message always '': where it was sent from is not kept. */
  path: string;
  /** The host that led here, '' where it was none but our own. */
  referrer: string;
  source: string;
  medium: string;
  campaign: string;
  count: number;
};

/** `refusals`: in a row, since the last acceptance. `probed_at`: when a failing one last got what was never tried. */
export type ReceiverTable = {
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
  wordings: WordingRow;
  issues: IssueRow;
  receivers: ReceiverTable;
  secrets: { name: string; value: string; created_at: string };
  chores: { name: string; done_at: string };
  views: ViewRow;
  rate_counts: { client: string; count: number; resets_at: string };
  migrations: { name: string; applied_at: string };
  readiness: { id: number; checks: number };
};
