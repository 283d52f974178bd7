import type { MessageRow } from '../../store/tables.ts';
import type { AddressMatcher } from './address-matcher.ts';

export type LocalCopySearch = Pick<AddressMatcher, 'belongsToPerson' | 'mentions'> & {
  references: ReadonlySet<string>;
};

/** `remains` of a killed process's writing; a `file` is the owner's. */
export type LocalCopy = {
  kind: 'row' | 'mail' | 'remains' | 'file';
  path: string;
  reference: string;
  at: string;
  belongsToPerson: boolean;
};

export type LocalCopyCounts = { rows: number; redacted: number; mails: number; remains: number };

export type LocalCopies = {
  find(whose: LocalCopySearch): Promise<LocalCopy[]>;
  erase(whose: LocalCopySearch & Pick<AddressMatcher, 'redact'> & { upTo: string }): Promise<LocalCopyCounts>;
  rectify(
    messages: readonly MessageRow[],
    change: { name?: string; email?: string },
  ): Promise<{ rows: number; mails: number }>;
  expire(old: {
    references: ReadonlySet<string>;
    before: string | undefined;
  }): Promise<{ rows: number; mails: number }>;
  removeSubscriberMail(references: ReadonlySet<string>): Promise<void>;
};
