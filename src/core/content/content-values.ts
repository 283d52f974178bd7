import type { ContentError } from './content-error.ts';
import type { ParsedFiles } from './content-part.ts';
import { type Path, valueAt } from './source-positions.ts';

// Of files that may have errors: nothing in them has to be there.

export function createErrorList(files: ParsedFiles) {
  const errors: ContentError[] = [];
  const addError = (file: string, path: Path, field: string, reason: string) =>
    void errors.push({ file, line: files[file]?.lineAt(path) ?? 1, field, path, reason });
  return { errors, addError };
}

export function listTexts(files: ParsedFiles, file: string, ...path: string[]): (string | undefined)[] {
  return toList(valueAt(files[file]?.value, path)).map(item => (typeof item === 'string' ? item : undefined));
}

export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
