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

/** Files in the data folder that are written from the database. */
export type LocalFiles = {
  isManaged(path: string): boolean;
  find(search: LocalCopySearch): Promise<LocalCopy[]>;
  erase(erasure: LocalCopyErasure): Promise<Partial<LocalCopyCounts>>;
  expire(old: LocalCopyExpiry): Promise<Partial<Pick<LocalCopyCounts, 'rows' | 'mails'>>>;
};

/** All of them, and what else in the data folder contains an address. */
export type LocalCopies = {
  find(search: LocalCopySearch): Promise<LocalCopy[]>;
  erase(erasure: LocalCopyErasure): Promise<LocalCopyCounts>;
  expire(old: LocalCopyExpiry): Promise<{ rows: number; mails: number }>;
  expireMails(references: ReadonlySet<string>): Promise<void>;
};
