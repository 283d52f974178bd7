import type { InputHTMLAttributes, ReactNode, TextareaHTMLAttributes } from 'react';

export const inputClass =
  'desk-target w-full rounded-field border border-edge bg-high px-3 py-1.5 text-text placeholder:text-muted aria-invalid:border-2 aria-invalid:border-attention';

export const fileInputClass =
  'max-w-full text-sm file:mr-3 file:min-h-9 file:cursor-pointer file:rounded-field file:border file:border-edge file:bg-high file:px-3 file:font-semibold file:text-text aria-invalid:text-attention';

type FieldProps = { id: string; label: string; hint?: string | undefined; error?: string | undefined };

export function TextField({
  label,
  hint,
  error,
  ...input
}: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Field error={error} hint={hint} id={input.id} label={label}>
      <input className={inputClass} name={input.id} {...describe(input.id, hint, error)} {...input} />
    </Field>
  );
}

export function TextAreaField({
  label,
  hint,
  error,
  ...input
}: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Field error={error} hint={hint} id={input.id} label={label}>
      <textarea
        className={`${inputClass} field-sizing-content min-h-24`}
        name={input.id}
        {...describe(input.id, hint, error)}
        {...input}
      />
    </Field>
  );
}

export function Field({ id, label, hint, error, children }: FieldProps & { children: ReactNode }) {
  return (
    <div>
      <label className="mb-1 block text-sm font-semibold" htmlFor={id}>
        {label}
      </label>
      {children}
      {hint ? (
        <p className="mt-1 text-sm text-muted" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {error ? (
        <p className="mt-1 text-sm font-semibold text-attention" id={`${id}-error`}>
          {error}
        </p>
      ) : null}
    </div>
  );
}

function describe(id: string, hint: string | undefined, error: string | undefined) {
  const ids = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return { 'aria-describedby': ids || undefined, 'aria-invalid': error ? true : undefined };
}
