/** A JSON object as a map, so that no name reaches a prototype; names that would are refused. */
export function parseObject(text: string): Map<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return reachesPrototype(value) ? undefined : toMap(value);
  } catch {
    return undefined;
  }
}

const maxFields = 100;

/** Undefined for forms that no browser posts: invalid encoding, NUL, too many fields, names that reach a prototype. */
export function parseFields(text: string): URLSearchParams | undefined {
  if (text.split('&', maxFields + 1).length > maxFields) return undefined;
  try {
    if (decodeURIComponent(text).includes('\0')) return undefined;
  } catch {
    return undefined;
  }
  const form = new URLSearchParams(text);
  const parts = [...form.keys()].flatMap(name => name.split(/[.[\]]/));
  return parts.some(part => prototypeNames.includes(part)) ? undefined : form;
}

const prototypeNames = ['__proto__', 'constructor', 'prototype'];

/** Iterative: deeply nested JSON must not overflow the stack. */
function reachesPrototype(value: unknown): boolean {
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next) && Object.keys(next).some(name => prototypeNames.includes(name))) return true;
    for (const inner of Object.values(next)) pending.push(inner);
  }
  return false;
}

export function toMap(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return new Map(Object.entries(value));
}

export function pickText<Name extends string>(
  known: Map<string, unknown> | undefined,
  names: readonly Name[],
): Record<Name, string> | undefined {
  if (!known) return undefined;
  const isText = names.every(name => !known.has(name) || typeof known.get(name) === 'string');
  return isText ? pickFields(names, name => (known.get(name) ?? '') as string) : undefined;
}

export function pickFields<Name extends string>(
  names: readonly Name[],
  get: (name: Name) => string,
): Record<Name, string> {
  return Object.fromEntries(names.map(name => [name, get(name)])) as Record<Name, string>;
}
