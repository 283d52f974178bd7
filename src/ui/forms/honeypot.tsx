import { site } from 'content:site';
import { honeypotField } from '../contract.ts';

/** A field that only robots fill in: explained to screen readers, ignored by password managers. */
export function Honeypot({ form }: { form: string }) {
  const id = `${form}-${honeypotField}`;
  return (
    <div className="sr-only">
      <label htmlFor={id}>{site.leaveEmpty}</label>
      <input
        autoComplete="off"
        data-1p-ignore
        data-bwignore
        data-form-type="other"
        data-lpignore="true"
        id={id}
        name={honeypotField}
        tabIndex={-1}
        type="text"
      />
    </div>
  );
}
