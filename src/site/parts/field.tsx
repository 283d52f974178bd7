import type { InputHTMLAttributes, TextareaHTMLAttributes } from 'react';

export const fieldLook =
  'min-h-12 w-full rounded-field border border-edge bg-high px-4 py-2.5 text-text placeholder:text-muted user-invalid:border-attention';

type FieldProps = { id: string; label: string; error?: string | undefined };

/** Fields are uncontrolled: what a visitor types before React arrives stays typed. */
export function TextField({
  id,
  label,
  error,
  ...input
}: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <div>
      <FieldLabel id={id} label={label} />
      <input className={fieldLook} id={id} {...errorAttributes(id, error)} {...input} />
      <FieldError error={error} id={id} />
    </div>
  );
}

export function TextArea({
  id,
  label,
  error,
  ...input
}: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <div>
      <FieldLabel id={id} label={label} />
      <textarea className={fieldLook} id={id} {...errorAttributes(id, error)} {...input} />
      <FieldError error={error} id={id} />
    </div>
  );
}

export function FieldLabel({ id, label }: { id: string; label: string }) {
  return (
    <label className="mb-2 block font-semibold" htmlFor={id}>
      {label}
    </label>
  );
}

function FieldError({ id, error }: { id: string; error: string | undefined }) {
  return error ? (
    <p className="mt-2 text-sm font-semibold text-attention" id={`${id}-error`}>
      {error}
    </p>
  ) : null;
}

function errorAttributes(id: string, error: string | undefined) {
  return error ? { 'aria-describedby': `${id}-error`, 'aria-invalid': true } : {};
}
