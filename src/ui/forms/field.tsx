import type { InputHTMLAttributes, ReactNode, TextareaHTMLAttributes } from 'react';
import { Icon } from '../components/icon.tsx';
import { StatusIcon } from '../components/notice.tsx';

type FieldProps = { id: string; label: string; error?: string | undefined };

/** Fields are uncontrolled, so that what a visitor types before hydration is kept. */
export function TextField(props: FieldProps & InputHTMLAttributes<HTMLInputElement> & { hintId?: string }) {
  const { label, error, hintId, ...input } = props;
  return (
    <Field {...props}>
      <input className="field" {...errorAttributes(props.id, error, hintId)} {...input} />
    </Field>
  );
}

export function TextAreaField(props: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const { label, error, ...input } = props;
  return (
    <Field {...props}>
      <textarea className="field" {...errorAttributes(props.id, error)} {...input} />
    </Field>
  );
}

export function SelectField(props: FieldProps & { name: string; choose: string; names: string[] }) {
  const { id, error, name, choose, names } = props;
  return (
    <Field {...props}>
      <div className="select">
        <select className="field" id={id} {...errorAttributes(id, error)} name={name}>
          <option value="">{choose}</option>
          {names.map(choice => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
        <Icon className="size-4" d="m4 7 6 6 6-6" />
      </div>
    </Field>
  );
}

function Field({ id, label, error, children }: FieldProps & { children?: ReactNode }) {
  return (
    <div>
      <FieldLabel id={id} label={label} />
      {children}
      {/* Enter keeps the focus in the field, so no focus change would announce the error. */}
      <div aria-live="polite">
        <FieldError error={error} id={id} />
      </div>
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
      <StatusIcon kind="refused" />
      {error}
    </p>
  ) : null;
}

export function errorAttributes(id: string, error: string | undefined, hintId?: string) {
  const described = [error && `${id}-error`, hintId].filter(Boolean).join(' ');
  return { 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined };
}
