import { auditPage as page } from 'content:audit-page';
import { type FormEvent, useEffect, useRef } from 'react';
import { buttonClass } from '../../../ui/components/button.ts';
import { ArrowIcon } from '../../../ui/components/icon.tsx';
import { Notice } from '../../../ui/components/notice.tsx';
import { errorAttributes, FieldError, FieldLabel } from '../../../ui/forms/field.tsx';
import { describeRetryAfter, focusField } from '../../../ui/forms/form-feedback.ts';
import { type AuditFailure, auditFields, auditPaths, deletedFragment } from '../contract.ts';
import { Progress } from './progress.tsx';
import { type AuditState, requestAudit } from './request-audit.ts';

const id = 'domain';
const { form, failures, deleted, statement, progress } = page;
const reasons = (Object.keys(failures) as (keyof typeof failures)[]).filter(isReason);

/** A native post is redirected here with the reason as the fragment. */
const nativeFeedback = (
  <>
    {reasons.map(reason => (
      <Notice
        heading={failures.heading}
        id={reason}
        isTarget
        key={reason}
        kind="refused"
        next={describeFailure(reason)}
      />
    ))}
    <Notice heading={deleted.heading} id={deletedFragment} isTarget kind="sent" next={deleted.text} />
  </>
);

type AuditFormProps = { state: AuditState; onChange(state: AuditState): void };

export function AuditForm({ state, onChange }: AuditFormProps) {
  const feedback = useRef<HTMLDivElement>(null);
  const isBusy = state.kind === 'running' || state.kind === 'done';
  const refusal = state.kind === 'refused' ? state : undefined;
  const error = refusal?.reason === 'invalid-domain' ? failures['invalid-domain'] : undefined;
  const isListed = state.kind === 'running' && state.checks.length > 0;
  const path = state.kind === 'done' ? state.path : undefined;
  useEffect(() => {
    if (error) focusField(id);
    else if (isListed || refusal || state.kind === 'lost')
      feedback.current?.scrollIntoView({ block: 'nearest' });
  }, [error, isListed, refusal, state.kind]);
  useEffect(() => {
    if (!path) return;
    // Back restores this page as it was left.
    const reset = () => onChange({ kind: 'idle' });
    addEventListener('pagehide', reset, { once: true });
    location.assign(path);
    return () => removeEventListener('pagehide', reset);
  }, [onChange, path]);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const domain = String(new FormData(event.currentTarget).get(auditFields.domain)).trim();
    if (!isBusy) requestAudit(domain, onChange);
  }

  if (page.isOff)
    return (
      <div className={boxClass}>
        <Notice heading={failures.heading} kind="refused" next={failures.off} />
      </div>
    );
  return (
    <div className={boxClass}>
      {state.kind === 'idle' ? nativeFeedback : null}
      <form
        action={auditPaths.page}
        aria-label={form.button}
        className="grid gap-4"
        method="post"
        onSubmit={submit}
      >
        <div>
          <FieldLabel id={id} label={form.label} />
          <div className="flex flex-wrap gap-3">
            <input
              autoCapitalize="none"
              autoComplete="url"
              className="field min-h-14 flex-1 scroll-mt-12 basis-64 text-lg"
              id={id}
              {...errorAttributes(id, error, `${id}-hint`)}
              inputMode="url"
              maxLength={2000}
              name={auditFields.domain}
              placeholder={form.placeholder}
              required
              spellCheck={false}
              type="text"
            />
            <button aria-disabled={isBusy || undefined} className={buttonClass.large} type="submit">
              {form.button} <ArrowIcon />
            </button>
          </div>
          <div aria-live="polite">
            <FieldError error={error} id={id} />
          </div>
        </div>
        <p className="text-sm text-muted" id={`${id}-hint`}>
          {form.allowed} {statement}{' '}
          <a
            className="underline decoration-edge underline-offset-4 hover:text-accent"
            href={auditPaths.about}
          >
            {page.about}
          </a>
        </p>
      </form>
      <div aria-live="polite" ref={feedback}>
        {state.kind === 'running' ? <Progress {...state} /> : null}
        {state.kind === 'done' ? (
          <p>
            {progress.opening}{' '}
            <a className="underline underline-offset-4" href={state.path}>
              {progress.open}
            </a>
          </p>
        ) : null}
        {refusal && !error ? (
          <Notice
            heading={failures.heading}
            kind="refused"
            next={describeFailure(refusal.reason, refusal.minutes)}
          />
        ) : null}
        {state.kind === 'lost' ? (
          <Notice heading={failures.heading} kind="refused" next={progress.lost} />
        ) : null}
      </div>
    </div>
  );
}

const boxClass = 'mt-9 grid max-w-[36rem] gap-6';

function isReason(name: keyof typeof failures): name is AuditFailure {
  return name !== 'heading' && name !== 'later' && name !== 'nextHour';
}

function describeFailure(reason: AuditFailure, minutes?: number): string {
  // A redirect tells no time; limits end within the hour.
  const latest = reason === 'too-many' || reason === 'checked-recently' ? failures.nextHour : failures.later;
  return failures[reason].replace('{when}', minutes ? describeRetryAfter(minutes) : latest);
}
