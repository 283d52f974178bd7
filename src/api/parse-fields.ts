/** A JSON object, as a map: whatever its names, none of them reaches a prototype. */
export function parseObject(text: string): Map<string, unknown> | undefined {
  try {
    return toMap(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function toMap(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return new Map(Object.entries(value));
}

/** The fields of these names, each text or left out; anything else in the object is ignored. */
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
