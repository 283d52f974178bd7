import type { MessageRow } from '../../store/tables.ts';
import type { Trace } from './trace.ts';

/** Whose copies: of these messages, and by the address. */
export type Whose = Pick<Trace, 'part' | 'isTheirs' | 'mentions'> & { references: ReadonlySet<string> };

/** `row` of the sheet, `mail` as a file, `remains` of either, `file` that somebody else put beside our own. */
export type Copy = {
  kind: 'row' | 'mail' | 'remains' | 'file';
  place: string;
  reference: string;
  at: string;
  isTheirs: boolean;
};

export type CopyCounts = { rows: number; redacted: number; mails: number; remains: number };

/** Everything of messages and letters that was written as files on this machine. */
export type Copies = {
  find(whose: Whose): Promise<Copy[]>;
  /** What is newer than `upTo` stays, and so does a `file`. */
  erase(whose: Whose & Pick<Trace, 'redact'> & { upTo: string }): Promise<CopyCounts>;
  /** The messages as they are now, and what was changed in them. */
  rectify(
    messages: readonly MessageRow[],
    change: { name?: string; email?: string },
  ): Promise<{ rows: number; mails: number }>;
  expire(old: {
    references: ReadonlySet<string>;
    before: string | undefined;
  }): Promise<{ rows: number; mails: number }>;
  /** Letters to readers are mails, and never rows. */
  forgetLetters(references: ReadonlySet<string>): Promise<void>;
};
