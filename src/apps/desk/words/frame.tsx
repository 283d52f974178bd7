import type { ReactNode } from 'react';
import { describe, FieldError } from './text-input.tsx';

type FrameProps = { id: string; label: string; help: string; error: string | undefined; children: ReactNode };

/** The fields of the page itself stand under headings, inner ones are set off by a line. */
export function Frame({ id, label, help, error, children }: FrameProps) {
  const isInner = id.includes('.');
  return (
    <fieldset
      aria-describedby={describe(id, help, error)}
      className={isInner ? 'border-l-2 border-hairline pl-3 sm:pl-4' : 'border-t border-hairline pt-4'}
      id={id}
      tabIndex={-1}
    >
      <legend className={isInner ? 'text-sm font-semibold' : 'float-left w-full text-lg font-semibold'}>
        {label}
      </legend>
      {help ? (
        <p className="clear-both mb-3 text-sm text-muted" id={`${id}-help`}>
          {help}
        </p>
      ) : null}
      <FieldError error={error} id={id} label={label} />
      <div className="clear-both pt-2">{children}</div>
    </fieldset>
  );
}
