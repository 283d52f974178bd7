import { type Ref, useEffect } from 'react';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { fieldId, revealField } from './form-context.tsx';
import { listDifferences } from './form-state.ts';
import { toPathLabel } from './labels.ts';
import type { FieldError } from './words-types.ts';

type ErrorSummaryProps = { errors: FieldError[]; isDraft: boolean; ref?: Ref<HTMLDivElement> };

export function ErrorSummary({ errors, isDraft, ref }: ErrorSummaryProps) {
  useEffect(() => {
    for (const { path } of errors) revealField(path);
  }, [errors]);
  return (
    <div
      className="rounded-field border-l-4 border-attention bg-raised px-4 py-3"
      ref={ref}
      role={isDraft ? 'status' : 'alert'}
      tabIndex={-1}
    >
      <h2 className="font-semibold">
        {isDraft
          ? 'The draft is saved. Before it can be published:'
          : 'Nothing was saved. Please correct this first:'}
      </h2>
      <ul className="mt-2 list-disc pl-5">
        {errors.map(({ path, file, fileTitle, field, reason }) => (
          <li key={`${file} ${path} ${field} ${reason}`}>
            {path ? (
              <a
                className="text-accent underline"
                href={`#${fieldId(path)}`}
                onClick={event => {
                  event.preventDefault();
                  const found = revealField(path);
                  found?.scrollIntoView({ block: 'center' });
                  found?.focus();
                }}
              >
                {toPathLabel(path)} {reason}
              </a>
            ) : (
              <>
                In{' '}
                <a
                  className="text-accent underline"
                  href={deskUrl(`/words/edit?${new URLSearchParams({ file })}`)}
                >
                  {fileTitle}
                </a>
                : {field} {reason}
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

type ConflictProps = {
  theirs: unknown;
  ours: unknown;
  onOverwrite(): void;
  ref?: Ref<HTMLDivElement>;
};

/** Another program changed the file: nothing is lost, and the owner decides. */
export function Conflict({ theirs, ours, onOverwrite, ref }: ConflictProps) {
  const differences = listDifferences(theirs, ours);
  return (
    <div
      className="rounded-field border-l-4 border-attention bg-raised px-4 py-3"
      ref={ref}
      role="alert"
      tabIndex={-1}
    >
      <h2 className="font-semibold">Not saved: the file was changed elsewhere since you opened it</h2>
      <p className="mt-1">What you typed is still here. This is where the two differ:</p>
      <dl className="mt-3 grid gap-3">
        {differences.slice(0, 30).map(({ path, theirs, ours }) => (
          <div key={path}>
            <dt className="text-sm font-semibold">{toPathLabel(path)}</dt>
            <dd className="text-sm">
              <span className="text-muted">In the file:</span> {show(theirs)}
            </dd>
            <dd className="text-sm">
              <span className="text-muted">Yours:</span> {show(ours)}
            </dd>
          </div>
        ))}
      </dl>
      {differences.length > 30 ? <p className="mt-2 text-sm">and {differences.length - 30} more</p> : null}
      <div className="mt-4 flex flex-wrap gap-2">
        <button className={buttonClass.danger} onClick={onOverwrite} type="button">
          Save all of mine
        </button>
        <a
          className={buttonClass.quiet}
          href={typeof location === 'undefined' ? '' : location.href}
          target="_blank"
          rel="noreferrer"
        >
          Open the file as it is now in another tab
        </a>
      </div>
    </div>
  );
}

function show(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'empty';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
