import type { Mistake } from './read-content.ts';
import { type Located, type Path, valueAt } from './source-positions.ts';

/** Cross-file checks, and unique ids. A file with errors is checked as far as it can be read. */
export function findMistakesAcross(read: Record<string, Located | undefined>): Mistake[] {
  const mistakes: Mistake[] = [];
  const at = (file: string, path: Path, field: string, reason: string) =>
    mistakes.push({ file, line: read[file]?.lineOf(path) ?? 1, field, reason });
  const texts = (file: string, ...path: string[]) =>
    listOf(valueAt(read[file]?.value, path)).map(item => (typeof item === 'string' ? item : undefined));

  const services = listOf(valueAt(read['services.yaml']?.value, ['services'])).map(one =>
    valueAt(one, ['id']),
  );
  // A service whose id is missing or misspelt may be the one that is meant.
  const isKnown = services.length > 0 && services.every(id => /^[a-z0-9-]+$/.test(String(id ?? '')));
  texts('home.yaml', 'offer', 'cards').forEach((id, index) => {
    if (isKnown && id !== undefined && !services.includes(id))
      at('home.yaml', ['offer', 'cards', index], 'cards', `names '${id}', which services.yaml does not have`);
  });

  const scale = texts('sample.yaml', 'scale');
  const severity = valueAt(read['sample.yaml']?.value, ['finding', 'severity']);
  if (typeof severity === 'string' && scale.length > 0 && !scale.includes(severity)) {
    const reason = `is '${severity}', expected one of ${scale.join(', ')}`;
    at('sample.yaml', ['finding', 'severity'], 'severity', reason);
  }

  for (const file of ['services.yaml', 'faq.yaml']) {
    const seen = new Set<string>();
    for (const { id, path } of listIds(read[file]?.value)) {
      if (seen.has(id)) at(file, path, 'id', `'${id}' stands twice; a link to it would be ambiguous`);
      seen.add(id);
    }
  }
  return mistakes;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function listIds(value: unknown, path: Path = []): { id: string; path: Path }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const inner = [...path, Array.isArray(value) ? Number(name) : name];
    return name === 'id' && typeof item === 'string' ? [{ id: item, path: inner }] : listIds(item, inner);
  });
}
