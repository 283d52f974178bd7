import type { MessageRow } from '../../core/database/tables.ts';
import type { Correction } from '../messages/message-fields.ts';
import type { AddressMatcher } from './address-matcher.ts';

export type LocalCopySearch = Pick<AddressMatcher, 'belongsToPerson' | 'mentions'> & {
  references: ReadonlySet<string>;
};

/** A `temporary file` was left by a killed process; an `unmanaged file` is the owner's: reported, and never changed. */
export type LocalCopy = {
  kind: 'row' | 'mail' | 'temporary file' | 'unmanaged file';
  path: string;
  reference: string;
  at: string;
  belongsToPerson: boolean;
};

/** Copies newer than `upTo` stay: what is sent after an erasure request is not part of it. */
export type LocalCopyErasure = LocalCopySearch & Pick<AddressMatcher, 'redact'> & { upTo: string };

export type LocalCopyExpiry = { references: ReadonlySet<string>; before: string | undefined };

export type LocalCopyCounts = { rows: number; redacted: number; mails: number; temporaryFiles: number };

export type LocalCopies = {
  find(search: LocalCopySearch): Promise<LocalCopy[]>;
  erase(erasure: LocalCopyErasure): Promise<LocalCopyCounts>;
  rectify(messages: readonly MessageRow[], change: Correction): Promise<{ rows: number; mails: number }>;
  expire(old: LocalCopyExpiry): Promise<{ rows: number; mails: number }>;
  expireSubscriberMail(references: ReadonlySet<string>): Promise<void>;
};
