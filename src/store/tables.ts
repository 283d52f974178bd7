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
  /** What makes the same message sent again the same message. */
  idempotency_key: string | null;
  quarantine_reason: string;
};

export const deliveryStates = ['waiting', 'sending', 'delivered', 'dead'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** One message, or one notice of the site's own, on its way to one receiver. */
export type DeliveryTable = {
  reference: string;
  receiver: string;
  kind: 'message' | 'notice';
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

export type Tables = {
  messages: MessageRow;
  deliveries: DeliveryTable;
  receivers: { name: string; paused_at: string | null; paused_why: string };
  secrets: { name: string; value: string; created_at: string };
  chores: { name: string; done_at: string };
  rate_counts: { client: string; count: number; resets_at: string };
  migrations: { name: string; applied_at: string };
  readiness: { id: number; checks: number };
};
