/** The content without links to pages that the site does not have: their words stay, entries of menus go. */
export function leaveOutLinks<T>(content: T, isGone: (href: string) => boolean): T {
  function adapt(value: unknown): unknown {
    if (Array.isArray(value)) return value.flatMap(adaptItem);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, adapt(item)]));
  }

  function adaptItem(item: unknown): unknown[] {
    if (Array.isArray(item) && item[0] === 'a' && isRecord(item[1]) && isGone(String(item[1].href)))
      return item.slice(2).flatMap(adaptItem);
    if (!isRecord(item)) return [adapt(item)];
    if (typeof item.path === 'string' && isGone(item.path)) return [];
    const adapted = adapt(item) as Record<string, unknown>;
    return hasLost(item.links, adapted.links) ? [] : [adapted];
  }

  return adapt(content) as T;
}

/** A column of the footer without its last link has only a heading. */
function hasLost(before: unknown, after: unknown): boolean {
  return Array.isArray(before) && Array.isArray(after) && before.length > 0 && after.length === 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
