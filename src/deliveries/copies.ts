import { readOverlapping } from '../lib/files.ts';

/** The interface between whoever answers for somebody's data and the copies of it that receivers wrote as files. */

/** What is looked for. */
export type CopySearch = {
  /** Of messages: each copy of one of these is meant, whatever stands in it. */
  references: ReadonlySet<string>;
  /** Stands wherever the address does, whatever its capitals; unset where that cannot be told. */
  part?: string | undefined;
  isTheirs(email: string): boolean;
  mentions(text: string): boolean;
};

/** What goes, of what there was up to a time: whoever writes again after that has asked for nothing. */
export type CopyErasure = CopySearch & { upTo: string; redact(text: string): string };

/**
 * `row` of the sheet, `mail` as a file, `remains` of either that a killed process left, `file` that somebody else put
 * into the data folder: it is told of, and never changed.
 */
export type CopyKind = 'row' | 'mail' | 'remains' | 'file';
/** Somebody's own copy, or one of another's message that mentions them. */
export type Copy = { kind: CopyKind; place: string; reference: string; at: string; isTheirs: boolean };

/** What is too old: by its own time, or by the message it is of. */
export type CopyExpiry = { references: ReadonlySet<string>; before: string | undefined };

export type CopyCounts = { rows: number; redacted: number; mails: number; remains: number };

/** A mail's time is that of its second's beginning, so it may seem a little older than it is. */
export function isAfter(at: string, upTo: string): boolean {
  return isTime(at) && at > upTo;
}

export function isBefore(at: string, cutoff: string | undefined): boolean {
  return cutoff !== undefined && isTime(at) && at < cutoff;
}

/** Its owner may have written something else there. */
function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text);
}

/** Ours are ten signs with a line in their middle. */
export function holdsReference(text: string, references: ReadonlySet<string>): boolean {
  if (references.size === 0) return false;
  return (text.match(/[0-9A-Z]{5}-[0-9A-Z]{5}/g) ?? []).some(found => references.has(found));
}

/** Whether a file is worth reading more closely, by its bytes: most are not. */
export async function mayHold(
  path: string,
  { part, references }: Pick<CopySearch, 'part' | 'references'>,
): Promise<boolean> {
  for await (const bytes of readOverlapping(path)) {
    const text = bytes.toString('latin1');
    if (part === undefined || text.toLowerCase().includes(part) || holdsReference(text, references))
      return true;
  }
  return false;
}
