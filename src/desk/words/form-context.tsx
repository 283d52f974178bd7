import { createContext } from 'react';
import type { FormField, Remark } from '../../content/editing/form-types.ts';
import type { State } from './form-state.ts';

/** What every field of a form needs. It changes with a save, not with a key. */
export type FormContextValue = {
  errors: ReadonlyMap<string, string>;
  remarks: Record<string, Remark>;
  placeholders: Record<string, string>;
  change(path: string, update: (part: State) => State): void;
  announce(text: string): void;
};

export const FormContext = createContext<FormContextValue>({
  errors: new Map(),
  remarks: {},
  placeholders: {},
  change: () => undefined,
  announce: () => undefined,
});

export type FieldProps = {
  field: FormField;
  state: State;
  /** Where the field is now, and where it was in the file: its comments are there. Undefined for a new item. */
  path: string;
  source: string | undefined;
  label: string;
  isCompact?: boolean;
};

export function fieldId(path: string): string {
  return `field-${path.replaceAll('/', '.')}`;
}

/** Opens what the field is in. */
export function revealField(path: string): HTMLElement | null {
  const field = document.getElementById(fieldId(path));
  for (let part = field?.closest('details'); part; part = part.parentElement?.closest('details'))
    part.open = true;
  return field;
}
