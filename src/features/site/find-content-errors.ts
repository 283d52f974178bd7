import type { ContentError } from '../../core/content/content-error.ts';
import type { ParsedFiles } from '../../core/content/content-part.ts';
import { createErrorList, listTexts, toList } from '../../core/content/content-values.ts';
import { type Path, valueAt } from '../../core/content/source-positions.ts';

export function findContentErrors(files: ParsedFiles): ContentError[] {
  const { errors, addError } = createErrorList(files);
  const services = toList(valueAt(files['services.yaml']?.value, ['services'])).map(one =>
    valueAt(one, ['id']),
  );
  // A service whose id is missing or misspelt may be the one that a card refers to.
  const areServicesValid = services.length > 0 && services.every(id => /^[a-z0-9-]+$/.test(String(id ?? '')));
  listTexts(files, 'home.yaml', 'offer', 'cards').forEach((id, index) => {
    if (areServicesValid && id !== undefined && !services.includes(id)) {
      const reason = `lists '${id}', which is not a service in services.yaml`;
      addError('home.yaml', ['offer', 'cards', index], 'cards', reason);
    }
  });

  const questions = listIds(files['faq.yaml']?.value).map(({ id }) => id);
  listTexts(files, 'faq.yaml', 'popular', 'questions').forEach((id, index) => {
    if (id !== undefined && !questions.includes(id)) {
      const reason = `lists '${id}', which is not the id of a question below`;
      addError('faq.yaml', ['popular', 'questions', index], 'questions', reason);
    }
  });

  for (const file of ['services.yaml', 'faq.yaml']) {
    const seen = new Set<string>();
    for (const { id, path } of listIds(files[file]?.value)) {
      if (seen.has(id)) addError(file, path, 'id', `'${id}' is used twice; ids must be unique`);
      seen.add(id);
    }
  }
  return errors;
}

function listIds(value: unknown, path: Path = []): { id: string; path: Path }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const inner = [...path, Array.isArray(value) ? Number(name) : name];
    return name === 'id' && typeof item === 'string' ? [{ id: item, path: inner }] : listIds(item, inner);
  });
}
