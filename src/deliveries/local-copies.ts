export type LocalCopySearch = {
  references: ReadonlySet<string>;
  belongsToPerson(email: string): boolean;
  mentions(text: string): boolean;
};

/** Copies newer than `upTo` stay: what is sent after an erasure request is not part of it. */
export type LocalCopyErasure = LocalCopySearch & { upTo: string; redact(text: string): string };

/** `remains` were left by a killed process; a `file` is the owner's: reported, and never changed. */
export type LocalCopy = {
  kind: 'row' | 'mail' | 'remains' | 'file';
  path: string;
  reference: string;
  at: string;
  belongsToPerson: boolean;
};

export type LocalCopyExpiry = { references: ReadonlySet<string>; before: string | undefined };

export function isAfter(at: string, upTo: string): boolean {
  return isTime(at) && at > upTo;
}

export function isBefore(at: string, cutoff: string | undefined): boolean {
  return cutoff !== undefined && isTime(at) && at < cutoff;
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text);
}

export function holdsReference(text: string, references: ReadonlySet<string>): boolean {
  if (references.size === 0) return false;
  return (text.match(/[0-9A-Z]{5}-[0-9A-Z]{5}/g) ?? []).some(found => references.has(found));
}
