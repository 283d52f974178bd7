import { memo, use, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { FormField, Remark } from '../../../core/content/editing/form-types.ts';
import { buttonClass } from '../../../ui/desk/button.ts';
import { type FieldProps, FormContext, fieldId } from './form-context.tsx';
import { createState, type GroupState, type Item, itemOf, type State } from './form-state.ts';
import { Frame } from './frame.tsx';
import { toLabel } from './labels.ts';
import { ListField } from './list-field.tsx';
import { describe, FieldError, TextInput } from './text-input.tsx';

export const FieldView = memo(function FieldView(props: FieldProps) {
  const { field, state, path, source, label, isCompact = false } = props;
  const { remarks } = use(FormContext);
  const help = joinHelp(field, source === undefined ? undefined : remarks[source]);
  switch (field.kind) {
    case 'list':
      return (
        <ListField
          {...props}
          FieldView={FieldView}
          Fields={Fields}
          help={help}
          items={state as Item[] | undefined}
        />
      );
    case 'group':
    case 'record':
      return <Group {...props} help={help} />;
    case 'boolean':
      return <Checkbox help={help} isChecked={state === true} label={label} path={path} />;
    default:
      return (
        <TextInput
          field={field}
          help={help}
          isCompact={isCompact}
          label={label}
          path={path}
          text={typeof state === 'string' ? state : ''}
        />
      );
  }
});

function joinHelp({ help = '' }: FormField, remark: Remark | undefined): string {
  const { help: comment = '', prescribed } = remark ?? {};
  const fixed =
    prescribed === undefined
      ? ''
      : prescribed
        ? `Prescribed content: ${prescribed}.`
        : 'Prescribed to the letter by the specification of the site.';
  const sentence = comment && comment.charAt(0).toUpperCase() + comment.slice(1);
  return [sentence, help && endSentence(help), fixed].filter(Boolean).join(' ');
}

function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

export function Fields({
  field,
  state,
  path,
  source,
}: Pick<FieldProps, 'field' | 'state' | 'path' | 'source'>) {
  const group = (state ?? {}) as GroupState;
  const names = field.kind === 'group' ? Object.keys(field.fields ?? {}) : Object.keys(group);
  return (
    <div className="grid gap-4">
      {names.map(name => (
        <FieldView
          field={field.kind === 'group' ? (field.fields?.[name] ?? itemOf(field)) : itemOf(field)}
          key={name}
          label={toLabel(name)}
          path={join(path, name)}
          source={source === undefined ? undefined : join(source, name)}
          state={group[name]}
        />
      ))}
    </div>
  );
}

function Group({ field, state, path, source, label, help }: FieldProps & { help: string }) {
  const { errors, change } = use(FormContext);
  const id = fieldId(path);
  const required: FormField = { ...field };
  delete required.isOptional;
  // Only the file names the entries of a record: they are there again if it was left out by mistake.
  const leftOut = useRef<State>(undefined);
  /** The button that was pressed goes: the focus stays in the group. */
  const replace = (next: State) => {
    flushSync(() => change(path, () => next));
    const group = document.getElementById(id);
    (group?.querySelector<HTMLElement>('input, textarea, select, button') ?? group)?.focus();
  };
  return (
    <Frame error={errors.get(path)} help={help} id={id} label={label}>
      {state === undefined ? (
        <button
          className={buttonClass.quiet}
          onClick={() => replace(leftOut.current ?? createState(required, {}))}
          type="button"
        >
          Add {label.toLowerCase()}
        </button>
      ) : (
        <Fields field={field} path={path} source={source} state={state} />
      )}
      {state !== undefined && field.isOptional ? (
        <button
          className={`${buttonClass.quiet} mt-3`}
          onClick={() => {
            leftOut.current = state;
            replace(undefined);
          }}
          type="button"
        >
          Leave out {label.toLowerCase()}
        </button>
      ) : null}
    </Frame>
  );
}

type CheckboxProps = { path: string; label: string; help: string; isChecked: boolean };

function Checkbox({ path, label, help, isChecked }: CheckboxProps) {
  const { errors, change } = use(FormContext);
  const id = fieldId(path);
  const error = errors.get(path);
  return (
    <div>
      <label className="desk-target flex items-center gap-3 text-sm font-semibold" htmlFor={id}>
        <input
          aria-describedby={describe(id, help, error)}
          aria-invalid={error ? true : undefined}
          checked={isChecked}
          className="size-5 accent-accent"
          id={id}
          onChange={event => change(path, () => event.target.checked)}
          type="checkbox"
        />
        {label}
      </label>
      {help ? (
        <p className="text-sm text-muted" id={`${id}-help`}>
          {help}
        </p>
      ) : null}
      <FieldError error={error} id={id} label={label} />
    </div>
  );
}

function join(path: string, name: string): string {
  return path ? `${path}/${name}` : name;
}
