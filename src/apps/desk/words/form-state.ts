import type { FormField, ItemOrigins } from '../../../core/content/editing/form-types.ts';

/** What a form holds while it is edited. A list remembers where each item was in the file, so that its comments follow it. */
export type State = string | boolean | undefined | GroupState | Item[];
export type GroupState = { [name: string]: State };
export type Item = { key: number; origin: number | null; state: State };

let lastKey = 0;

export function createItem(field: FormField, value: unknown, origin: number | null): Item {
  lastKey += 1;
  return { key: lastKey, origin, state: createState(field, value) };
}

export function createState(field: FormField, value: unknown): State {
  const isAbsent = value === undefined && field.isOptional === true;
  switch (field.kind) {
    case 'boolean':
      return isAbsent ? field.isOnByDefault === true : value === true;
    case 'list':
      if (isAbsent) return undefined;
      return Array.isArray(value)
        ? value.map((item, index) => createItem(itemOf(field), item, index))
        : Array.from({ length: field.min ?? 0 }, () => createItem(itemOf(field), undefined, null));
    case 'group':
      return isAbsent
        ? undefined
        : mapGroup(field, name => createState(fieldAt(field, name), toGroup(value)[name]), {});
    case 'record':
      return isAbsent
        ? undefined
        : mapGroup(field, name => createState(itemOf(field), toGroup(value)[name]), toGroup(value));
    default:
      return value === undefined || value === null ? '' : String(value);
  }
}

/** The value to save, and where the items of its lists were. `initial` is the value in the file. */
export function readState(
  field: FormField,
  state: State,
  initial: unknown,
  origins: ItemOrigins = {},
  path: string[] = [],
): unknown {
  const isLeftOut = initial === undefined && field.isOptional === true;
  switch (field.kind) {
    case 'boolean':
      return isLeftOut && state === (field.isOnByDefault === true) ? undefined : state;
    case 'list': {
      const items = state as Item[] | undefined;
      if (!items || (items.length === 0 && field.isOptional && (isLeftOut || (field.min ?? 0) > 0)))
        return undefined;
      origins[path.join('/')] = items.map(({ origin }) => origin);
      return items.map(({ state: inner, origin }, index) =>
        readState(itemOf(field), inner, origin === null ? undefined : toList(initial)[origin], origins, [
          ...path,
          String(index),
        ]),
      );
    }
    case 'group':
    case 'record': {
      if (state === undefined) return undefined;
      const known = mapGroup(
        field,
        name => {
          const inner = field.kind === 'group' ? fieldAt(field, name) : itemOf(field);
          return readState(inner, (state as GroupState)[name], toGroup(initial)[name], origins, [
            ...path,
            name,
          ]);
        },
        state as GroupState,
      );
      const others = Object.entries(toGroup(initial)).filter(([name]) => !(name in known));
      const written = [...Object.entries(known), ...others].filter(([, value]) => value !== undefined);
      return initial === undefined && written.length === 0 ? undefined : Object.fromEntries(written);
    }
    default:
      return readText(field, state as string, isLeftOut);
  }
}

function readText(field: FormField, text: string, isLeftOut: boolean): unknown {
  if (text === '' && (isLeftOut || (field.isOptional && !field.isNullable))) return undefined;
  if (text === '' && field.isNullable) return null;
  const numbers = field.kind === 'number' ? /^-?\d+(\.\d+)?$/ : field.isNumberToo ? /^\d+$/ : undefined;
  return numbers?.test(text.trim()) ? Number(text) : text;
}

/** The state with one part replaced; all others stay the same objects. */
export function updateState(state: State, path: readonly string[], update: (part: State) => State): State {
  const [name, ...rest] = path;
  if (name === undefined) return update(state);
  if (Array.isArray(state))
    return state.map((item, index) =>
      index === Number(name) ? { ...item, state: updateState(item.state, rest, update) } : item,
    );
  const group = (state ?? {}) as GroupState;
  return { ...group, [name]: updateState(group[name], rest, update) };
}

/** After a save: every item is where it is in the file. */
export function settleState(state: State): State {
  if (Array.isArray(state))
    return state.map((item, origin) => ({ ...item, origin, state: settleState(item.state) }));
  if (typeof state !== 'object') return state;
  return Object.fromEntries(Object.entries(state).map(([name, inner]) => [name, settleState(inner)]));
}

export type Difference = { path: string; theirs: unknown; ours: unknown };

export function listDifferences(theirs: unknown, ours: unknown, path: string[] = []): Difference[] {
  if (theirs === ours) return [];
  const isInner = [theirs, ours].every(value => typeof value === 'object' && value !== null);
  if (!isInner) return [{ path: path.join('/'), theirs, ours }];
  const names = new Set([...Object.keys(theirs as object), ...Object.keys(ours as object)]);
  return [...names].flatMap(name =>
    listDifferences(toGroup(theirs)[name], toGroup(ours)[name], [...path, name]),
  );
}

function mapGroup<T>(
  field: FormField,
  map: (name: string) => T,
  present: Record<string, unknown>,
): Record<string, T> {
  const names = field.kind === 'group' ? Object.keys(field.fields ?? {}) : Object.keys(present);
  return Object.fromEntries(names.map(name => [name, map(name)]));
}

const noField: FormField = { kind: 'text' };
const fieldAt = (field: FormField, name: string) => field.fields?.[name] ?? noField;
export const itemOf = (field: FormField) => field.item ?? noField;
const toGroup = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
const toList = (value: unknown) => (Array.isArray(value) ? value : []);
