import { type ComponentType, type ReactNode, use, useLayoutEffect, useRef } from 'react';
import { buttonClass } from '../../../ui/desk/button.ts';
import { type FieldProps, FormContext, fieldId } from './form-context.tsx';
import { createItem, type GroupState, type Item, itemOf, type State } from './form-state.ts';
import { Frame } from './frame.tsx';

type ListFieldProps = FieldProps & {
  help: string;
  items: Item[] | undefined;
  /** Handed in, because a field may be a list again. */
  FieldView: ComponentType<FieldProps>;
  Fields: ComponentType<Pick<FieldProps, 'field' | 'state' | 'path' | 'source'>>;
};

export function ListField({
  field,
  path,
  source,
  label,
  help,
  items = [],
  FieldView,
  Fields,
}: ListFieldProps) {
  const { errors, change, announce } = use(FormContext);
  const id = fieldId(path);
  // The button that was pressed keeps the focus, wherever its item is afterwards.
  const focusNext = useRef('');
  useLayoutEffect(() => {
    const next = focusNext.current && document.getElementById(focusNext.current);
    focusNext.current = '';
    if (!next) return;
    next.closest('details')?.setAttribute('open', '');
    next.focus();
  });
  const inner = itemOf(field);
  const isGroup = inner.kind === 'group';
  const single = toSingular(label);

  function add(): void {
    const item = createItem(inner, undefined, null);
    change(path, state => [...toItems(state), item]);
    const first = isGroup ? `/${Object.keys(inner.fields ?? {})[0]}` : '';
    focusNext.current = fieldId(`${path}/${items.length}${first}`);
    announce(`${single} ${items.length + 1} added`);
  }

  function move(index: number, by: 1 | -1): void {
    const [target, item] = [index + by, items[index]];
    if (!item || target < 0 || target >= items.length) return;
    change(path, state => {
      const moved = toItems(state).toSpliced(index, 1);
      return moved.toSpliced(target, 0, toItems(state)[index] as Item);
    });
    focusNext.current = `${id}-${by > 0 ? 'down' : 'up'}-${item.key}`;
    announce(`Moved to place ${target + 1} of ${items.length}`);
  }

  function remove(index: number): void {
    change(path, state => toItems(state).toSpliced(index, 1));
    const next = items[index + 1] ?? items[index - 1];
    focusNext.current = next ? `${id}-remove-${next.key}` : `${id}-add`;
    announce(`${single} ${index + 1} removed`);
  }

  return (
    <Frame error={errors.get(path)} help={help} id={id} label={label}>
      <ol className="grid gap-2">
        {items.map((item, index) => {
          const place = `${path}/${index}`;
          const origin =
            source === undefined || item.origin === null ? undefined : `${source}/${item.origin}`;
          const name = `${single} ${index + 1}`;
          const inputProps = { field: inner, path: place, source: origin, state: item.state };
          const buttons = (
            <Buttons id={id} item={item} name={name}>
              {[
                { action: 'up', text: 'Move up', isOff: index === 0, run: () => move(index, -1) },
                {
                  action: 'down',
                  text: 'Move down',
                  isOff: index === items.length - 1,
                  run: () => move(index, 1),
                },
                { action: 'remove', text: 'Remove', isOff: false, run: () => remove(index) },
              ]}
            </Buttons>
          );
          return (
            <li key={item.key}>
              {isGroup ? (
                <details
                  className="rounded-field border border-hairline bg-raised"
                  id={fieldId(place)}
                  tabIndex={-1}
                >
                  <summary className="desk-target flex cursor-pointer items-center gap-2 px-3 text-sm font-semibold">
                    <span className="shrink-0 text-muted">{index + 1}.</span>
                    <span className="truncate">{summarise(item.state) || name}</span>
                  </summary>
                  <div className="border-t border-hairline p-3 sm:p-4">
                    <Fields {...inputProps} />
                    <div className="mt-4">{buttons}</div>
                  </div>
                </details>
              ) : (
                <div className="grid items-start gap-2 sm:grid-cols-[1fr_auto]">
                  <FieldView {...inputProps} isCompact={true} label={name} />
                  {buttons}
                </div>
              )}
            </li>
          );
        })}
      </ol>
      {field.max === undefined || items.length < field.max ? (
        <button className={`${buttonClass.quiet} mt-3`} id={`${id}-add`} onClick={add} type="button">
          Add {single.toLowerCase()}
        </button>
      ) : (
        <p className="mt-2 text-sm text-muted">No more than {field.max} are possible.</p>
      )}
    </Frame>
  );
}

type Button = { action: string; text: string; isOff: boolean; run(): void };

function Buttons({
  id,
  item,
  name,
  children,
}: {
  id: string;
  item: Item;
  name: string;
  children: Button[];
}): ReactNode {
  return (
    <div className="flex flex-wrap gap-1.5">
      {children.map(({ action, text, isOff, run }) => (
        <button
          aria-disabled={isOff || undefined}
          aria-label={`${text}: ${name}`}
          className={`${buttonClass.quiet} px-2.5 font-normal aria-disabled:opacity-50`}
          id={`${id}-${action}-${item.key}`}
          key={action}
          onClick={run}
          type="button"
        >
          {text}
        </button>
      ))}
    </div>
  );
}

function toItems(state: State): Item[] {
  return Array.isArray(state) ? state : [];
}

/** The first text of an item says which one it is. */
function summarise(state: State): string {
  const { title, name, question, label, text, term, step, day, severity, id } = (state ?? {}) as GroupState;
  const found = [question, title, name, label, term, step, day, severity, text, id].find(
    one => typeof one === 'string' && one !== '',
  );
  return typeof found === 'string' ? found.slice(0, 90) : '';
}

/** Such as 'Point' for 'Points'. */
function toSingular(label: string): string {
  if (label === 'People') return 'Person';
  return /(ss|[^s])$/.test(label) ? `${label} entry` : label.replace(/ies$/, 'y').replace(/s$/, '');
}
