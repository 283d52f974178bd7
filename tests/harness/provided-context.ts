import { inject, type ProvidedContext } from 'vitest';
import type {} from './postgres.setup.ts';
import type {} from './project-copies.setup.ts';

const given: Partial<ProvidedContext> = {};

/** Values of Vitest's global set-ups, or those that a program without Vitest provides. */
export function provided<Name extends keyof ProvidedContext>(name: Name): ProvidedContext[Name] {
  return given[name] ?? inject(name);
}

export function provide(values: Partial<ProvidedContext>): void {
  Object.assign(given, values);
}
