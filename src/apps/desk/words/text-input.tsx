import { use } from 'react';
import type { FormField } from '../../../core/content/editing/form-types.ts';
import { inputClass } from '../../../ui/desk/field.tsx';
import { FormContext, fieldId } from './form-context.tsx';

type TextInputProps = {
  field: FormField;
  text: string;
  path: string;
  label: string;
  help: string;
  /** Beside buttons, where the label is for screen readers. */
  isCompact?: boolean;
};

export function TextInput({ field, text, path, label, help, isCompact }: TextInputProps) {
  const { errors, change, placeholders } = use(FormContext);
  const id = fieldId(path);
  const error = errors.get(path);
  const counted = describeLength(field, text, placeholders);
  const input = {
    id,
    value: text,
    className: inputClass,
    onChange: (event: { target: { value: string } }) => change(path, () => event.target.value),
    'aria-describedby': describe(id, help, error, counted && `${id}-count`),
    'aria-invalid': error ? true : undefined,
  };
  const isLong = field.isMarkdown || (!field.isAddress && (field.max ?? 0) > 120) || text.includes('\n');
  return (
    <div>
      <label className={isCompact ? 'sr-only' : 'mb-1 block text-sm font-semibold'} htmlFor={id}>
        {label}
        {field.isOptional || field.isNullable ? (
          <span className="font-normal text-muted"> (may be empty)</span>
        ) : null}
      </label>
      {field.options ? (
        <Select {...input} options={field.options} />
      ) : isLong ? (
        <textarea
          {...input}
          className={`${inputClass} field-sizing-content ${heightClass(field, path)}`}
          spellCheck
        />
      ) : (
        <input
          {...input}
          inputMode={field.kind === 'number' ? 'numeric' : undefined}
          type={field.isDay ? 'date' : 'text'}
        />
      )}
      {help || counted ? (
        <p className="mt-1 flex flex-wrap justify-between gap-x-4 text-sm text-muted">
          <span id={`${id}-help`}>{help}</span>
          {counted ? (
            <span className={counted.isWrong ? 'font-semibold text-attention' : ''} id={`${id}-count`}>
              {counted.text}
            </span>
          ) : null}
        </p>
      ) : null}
      <FieldError id={id} error={error} label={label} />
    </div>
  );
}

function heightClass({ max = 0 }: FormField, path: string): string {
  if (path === 'body') return 'min-h-96 max-h-[75dvh] font-mono text-sm';
  if (max > 10_000) return 'min-h-40';
  return max > 250 ? 'min-h-20' : 'min-h-11';
}

/** The ids of what describes a field. */
export function describe(
  id: string,
  help: string,
  error: string | undefined,
  ...others: (string | undefined)[]
) {
  return [error && `${id}-error`, help && `${id}-help`, ...others].filter(Boolean).join(' ') || undefined;
}

export function FieldError({ id, error, label }: { id: string; error: string | undefined; label: string }) {
  return error ? (
    <p className="mt-1 text-sm font-semibold text-attention" id={`${id}-error`}>
      {label} {error}
    </p>
  ) : null;
}

function Select({
  options,
  value,
  ...input
}: { options: string[]; value: string } & React.ComponentProps<'select'>) {
  return (
    <select {...input} value={value}>
      {options.includes(value) ? null : <option value={value}>{value || 'Choose one'}</option>}
      {options.map(option => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  );
}

/** The length as the site shows it: with the values of placeholders, and without the addresses of links. */
function describeLength(
  { min, max, words, kind }: FormField,
  text: string,
  placeholders: Record<string, string>,
) {
  if (kind === 'number' || text === '') return undefined;
  const filled = text
    .trim()
    .replaceAll(/\{([\w.]+)\}/g, (whole, name: string) => placeholders[name] ?? whole);
  if (words) {
    const count = filled
      .replaceAll(/\]\([^)]*\)/g, ']')
      .split(/\s+/)
      .filter(word => /\w/.test(word)).length;
    const text = `${count} words of ${words.min} to ${words.max}`;
    return { text, isWrong: count < words.min || count > words.max };
  }
  if (max === undefined || max > 1000) return undefined;
  const { length } = filled;
  return { text: `${length} of ${max}`, isWrong: length > max || length < (min ?? 0) };
}
