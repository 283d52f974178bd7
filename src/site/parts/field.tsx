import type { InputHTMLAttributes, TextareaHTMLAttributes } from 'react';
import { ResultIcon } from './notice.tsx';

export const fieldLook =
  'min-h-12 w-full rounded-field border border-edge bg-high px-4 py-2.5 text-text placeholder:text-muted user-invalid:border-attention aria-invalid:border-2 aria-invalid:border-attention';

type FieldProps = {
  id: string;
  label: string;
  error?: string | undefined;
  /** What else on the page describes the field. */
  hintId?: string;
};

/** Fields are uncontrolled: what a visitor types before React arrives stays typed. */
export function TextField({
  id,
  label,
  error,
  hintId,
  ...input
}: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <div>
      <FieldLabel id={id} label={label} />
      <input className={fieldLook} id={id} {...boundTo(id, error, hintId)} {...input} />
      <FieldError error={error} id={id} />
    </div>
  );
}

export function TextArea({
  id,
  label,
  error,
  hintId,
  ...input
}: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <div>
      <FieldLabel id={id} label={label} />
      <textarea className={fieldLook} id={id} {...boundTo(id, error, hintId)} {...input} />
      <FieldError error={error} id={id} />
    </div>
  );
}

/** One of several names, or none. */
export function ChoiceField({
  id,
  label,
  error,
  name,
  choose,
  names,
}: FieldProps & { name: string; choose: string; names: string[] }) {
  return (
    <div>
      <FieldLabel id={id} label={label} />
      <select className={fieldLook} id={id} {...boundTo(id, error, undefined)} name={name}>
        <option value="">{choose}</option>
        {names.map(choice => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
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

export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  return error ? (
    <p className="mt-2 flex gap-2 text-sm font-semibold text-attention" id={`${id}-error`}>
      <ResultIcon kind="refused" />
      {error}
    </p>
  ) : null;
}

/** Ties a field to what is wrong with it, and to what else describes it. */
export function boundTo(id: string, error: string | undefined, hintId?: string) {
  const described = [error && `${id}-error`, hintId].filter(Boolean).join(' ');
  return { 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined };
}
