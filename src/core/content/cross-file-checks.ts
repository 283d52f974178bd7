import type { ContentError } from './content-error.ts';
import { type ParsedFile, type Path, valueAt } from './source-positions.ts';

export function findCrossFileErrors(files: Record<string, ParsedFile | undefined>): ContentError[] {
  const errors: ContentError[] = [];
  const addError = (file: string, path: Path, field: string, reason: string) =>
    errors.push({ file, line: files[file]?.lineAt(path) ?? 1, field, path, reason });
  const listTexts = (file: string, ...path: string[]) =>
    toList(valueAt(files[file]?.value, path)).map(item => (typeof item === 'string' ? item : undefined));

  const services = toList(valueAt(files['services.yaml']?.value, ['services'])).map(one =>
    valueAt(one, ['id']),
  );
  // A service whose id is missing or misspelt may be the one that a card refers to.
  const areServicesValid = services.length > 0 && services.every(id => /^[a-z0-9-]+$/.test(String(id ?? '')));
  listTexts('home.yaml', 'offer', 'cards').forEach((id, index) => {
    if (areServicesValid && id !== undefined && !services.includes(id)) {
      const reason = `lists '${id}', which is not a service in services.yaml`;
      addError('home.yaml', ['offer', 'cards', index], 'cards', reason);
    }
  });

  const questions = listIds(files['faq.yaml']?.value).map(({ id }) => id);
  listTexts('faq.yaml', 'popular', 'questions').forEach((id, index) => {
    if (id !== undefined && !questions.includes(id)) {
      const reason = `lists '${id}', which is not the id of a question below`;
      addError('faq.yaml', ['popular', 'questions', index], 'questions', reason);
    }
  });

  const scale = listTexts('sample.yaml', 'finding', 'scale');
  for (const list of [['findings'], ['retest', 'findings'], ['retest', 'counts']]) {
    toList(valueAt(files['sample.yaml']?.value, list)).forEach((one, index) => {
      const severity = valueAt(one, ['severity']);
      if (typeof severity !== 'string' || scale.length === 0 || scale.includes(severity)) return;
      const reason = `is '${severity}', expected one of ${scale.join(', ')}`;
      addError('sample.yaml', [...list, index, 'severity'], 'severity', reason);
    });
  }

  for (const file of ['services.yaml', 'faq.yaml']) {
    const seen = new Set<string>();
    for (const { id, path } of listIds(files[file]?.value)) {
      if (seen.has(id)) addError(file, path, 'id', `'${id}' is used twice; ids must be unique`);
      seen.add(id);
    }
  }
  return errors;
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function listIds(value: unknown, path: Path = []): { id: string; path: Path }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const inner = [...path, Array.isArray(value) ? Number(name) : name];
    return name === 'id' && typeof item === 'string' ? [{ id: item, path: inner }] : listIds(item, inner);
  });
}
