import { inject, type ProvidedContext } from 'vitest';
import type {} from './postgres.setup.ts';
import type {} from './project-copies.setup.ts';

const given: Partial<ProvidedContext> = {};

/** What the set-ups of Vitest made, or what a program of its own provides in their place. */
export function provided<Name extends keyof ProvidedContext>(name: Name): ProvidedContext[Name] {
  return given[name] ?? inject(name);
}

export function provide(values: Partial<ProvidedContext>): void {
  Object.assign(given, values);
}
