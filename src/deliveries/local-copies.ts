import { readOverlappingChunks } from '../lib/files.ts';

export type LocalCopySearch = {
  references: ReadonlySet<string>;
  /** A part of the address for a quick check; unset where spellings differ too much. */
  part?: string | undefined;
  isTheirs(email: string): boolean;
  mentions(text: string): boolean;
};

/** Copies newer than `upTo` stay: what is sent after an erasure request is not part of it. */
export type LocalCopyErasure = LocalCopySearch & { upTo: string; redact(text: string): string };

/** `remains` were left by a killed process; a `file` is the owner's: reported, and never changed. */
export type LocalCopy = {
  kind: 'row' | 'mail' | 'remains' | 'file';
  place: string;
  reference: string;
  at: string;
  /** The person's own copy, not another's message that mentions them. */
  isTheirs: boolean;
};

export type LocalCopyExpiry = { references: ReadonlySet<string>; before: string | undefined };

/** A mail's time is cut to the second, so it may seem a little older than it is. */
export function isAfter(at: string, upTo: string): boolean {
  return isTime(at) && at > upTo;
}

export function isBefore(at: string, cutoff: string | undefined): boolean {
  return cutoff !== undefined && isTime(at) && at < cutoff;
}

/** The owner may have edited the cell. */
function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text);
}

export function holdsReference(text: string, references: ReadonlySet<string>): boolean {
  if (references.size === 0) return false;
  return (text.match(/[0-9A-Z]{5}-[0-9A-Z]{5}/g) ?? []).some(found => references.has(found));
}

/** A quick check by bytes, before a file is parsed. */
export async function mayHold(
  path: string,
  { part, references }: Pick<LocalCopySearch, 'part' | 'references'>,
): Promise<boolean> {
  for await (const bytes of readOverlappingChunks(path)) {
    const text = bytes.toString('latin1');
    if (part === undefined || text.toLowerCase().includes(part) || holdsReference(text, references))
      return true;
  }
  return false;
}
