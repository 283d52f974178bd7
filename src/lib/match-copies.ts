export function isAfter(at: string, upTo: string): boolean {
  return isTime(at) && at > upTo;
}

export function isBefore(at: string, cutoff: string | undefined): boolean {
  return cutoff !== undefined && isTime(at) && at < cutoff;
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text);
}

export function mentionsReference(text: string, references: ReadonlySet<string>): boolean {
  if (references.size === 0) return false;
  return (text.match(/[0-9A-Z]{5}-[0-9A-Z]{5}/g) ?? []).some(found => references.has(found));
}
