import { createContext } from 'react';
import type { FormField, Remark } from '../../../core/content/editing/form-types.ts';
import type { State } from './form-state.ts';
import { fieldId } from './labels.ts';

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

export { fieldId };

/** The field of a link, or the nearest part of the form that it is in. */
export function revealLinkedField(hash: string): HTMLElement | null {
  const [, path = ''] = /^#field-(.*)$/.exec(hash) ?? [];
  const names = path.split('.');
  for (let length = names.length; length > 0; length -= 1) {
    const field = revealField(names.slice(0, length).join('/'));
    if (field) return field;
  }
  return null;
}

/** Opens what the field is in. */
export function revealField(path: string): HTMLElement | null {
  const field = document.getElementById(fieldId(path));
  for (let part = field?.closest('details'); part; part = part.parentElement?.closest('details'))
    part.open = true;
  return field;
}
