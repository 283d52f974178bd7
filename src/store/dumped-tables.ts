import {
  auditActions,
  deliveryKinds,
  deliveryStates,
  messageStates,
  subscriberStates,
  suppressionReasons,
  type Tables,
  viewKinds,
} from './tables.ts';
import { viewKey } from './views.ts';

/** What is worth nothing in another database, or is written there anyway. */
type Passing = 'rate_counts' | 'readiness' | 'migrations';
export type DumpedTable = Exclude<keyof Tables, Passing>;
export const passingTables: readonly Passing[] = ['rate_counts', 'readiness', 'migrations'];

export type Value = string | number | null;
export type Row = Record<string, Value>;

/**
 * `missing`: what a row has that was dumped before there was such a column. Without it the column was always there.
 * `since`: the migration before which it held something that must not come back; it is null then.
 */
export type Column = {
  kind: 'text' | 'integer';
  isNullable?: boolean;
  missing?: Value;
  since?: string;
  oneOf?: readonly string[];
};

export type Shape = { key: readonly string[]; columns: Readonly<Record<string, Column>> };
type Shapes = {
  [T in DumpedTable]: {
    key: readonly (keyof Tables[T] & string)[];
    columns: Record<keyof Tables[T] & string, Column>;
  };
};

const text: Column = { kind: 'text' };
const optional: Column = { kind: 'text', isNullable: true };
const integer: Column = { kind: 'integer' };
const oneOf = (...values: string[]): Column => ({ kind: 'text', oneOf: values });

/**
 * Every table of a dump in its order, and every column in its own: messages and subscribers come before what belongs to
 * them, so that whoever leaves one out knows it when the rest comes.
 */
export const dumpedTables: Shapes = {
  secrets: { key: ['name'], columns: { name: text, value: text, created_at: text } },
  audit: {
    key: ['hash', 'action', 'done_at'],
    columns: { hash: text, action: oneOf(...auditActions), done_at: text, counts: text },
  },
  wordings: { key: ['id'], columns: { id: text, text, first_used_at: text } },
  messages: {
    key: ['reference'],
    columns: {
      reference: text,
      received_at: text,
      state: oneOf(...messageStates),
      name: text,
      email: text,
      message: text,
      service: text,
      idempotency_key: { ...optional, since: '007-hashed-keys' },
      quarantine_reason: text,
    },
  },
  sign_ups: {
    key: ['id'],
    columns: {
      id: text,
      subscriber: text,
      address: text,
      form: text,
      wording: text,
      asked_at: text,
      network: { ...text, missing: 'unknown' },
    },
  },
  subscribers: {
    key: ['id'],
    columns: {
      id: text,
      address: optional,
      state: oneOf(...subscriberStates),
      request_form: text,
      request_wording: text,
      requested_at: optional,
      form: text,
      wording: text,
      asked_at: optional,
      mailed_at: optional,
      confirmed_at: optional,
      left_at: optional,
      suppressed_at: optional,
      suppressed_why: oneOf('', ...suppressionReasons),
    },
  },
  tokens: { key: ['hash'], columns: { hash: text, subscriber: text, expires_at: text } },
  issues: {
    key: ['reference'],
    columns: {
      reference: text,
      name: text,
      digest: text,
      subject: text,
      html: text,
      text,
      queued_at: text,
      held_at: optional,
    },
  },
  deliveries: {
    key: ['reference', 'receiver'],
    columns: {
      reference: text,
      receiver: text,
      kind: oneOf(...deliveryKinds),
      subscriber: optional,
      issue: optional,
      mailbox: optional,
      network: optional,
      payload: optional,
      state: oneOf(...deliveryStates),
      created_at: text,
      due_at: text,
      attempts: integer,
      lease: optional,
      lease_until: optional,
      is_ambiguous: integer,
      is_possibly_twice: integer,
      last_failure: text,
      settled_at: optional,
    },
  },
  attempts: {
    key: ['reference', 'receiver', 'number'],
    columns: {
      reference: text,
      receiver: text,
      number: integer,
      ended_at: text,
      state: oneOf(...deliveryStates),
      why: text,
    },
  },
  receivers: {
    key: ['name'],
    columns: {
      name: text,
      paused_at: optional,
      paused_why: text,
      refusals: { ...integer, missing: 0 },
      failing_at: { ...optional, missing: null },
      failing_why: { ...text, missing: '' },
      probed_at: { ...optional, missing: null },
    },
  },
  chores: { key: ['name'], columns: { name: text, done_at: text } },
  views: {
    key: viewKey,
    columns: {
      day: text,
      kind: oneOf(...viewKinds),
      path: text,
      referrer: text,
      source: text,
      medium: text,
      campaign: text,
      count: integer,
    },
  },
};

export const dumpedNames = Object.keys(dumpedTables) as DumpedTable[];
