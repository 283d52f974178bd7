import type { MessageRow } from '../../store/tables.ts';
import type { Trace } from './search-personal-data.ts';

export type Whose = Pick<Trace, 'part' | 'isTheirs' | 'mentions'> & { references: ReadonlySet<string> };

/** `remains` of a killed process's writing; a `file` is the owner's. */
export type Copy = {
  kind: 'row' | 'mail' | 'remains' | 'file';
  place: string;
  reference: string;
  at: string;
  isTheirs: boolean;
};

export type CopyCounts = { rows: number; redacted: number; mails: number; remains: number };

export type Copies = {
  find(whose: Whose): Promise<Copy[]>;
  /** Keeps what is newer than `upTo`, and every `file`. */
  erase(whose: Whose & Pick<Trace, 'redact'> & { upTo: string }): Promise<CopyCounts>;
  rectify(
    messages: readonly MessageRow[],
    change: { name?: string; email?: string },
  ): Promise<{ rows: number; mails: number }>;
  expire(old: {
    references: ReadonlySet<string>;
    before: string | undefined;
  }): Promise<{ rows: number; mails: number }>;
  forgetLetters(references: ReadonlySet<string>): Promise<void>;
};
