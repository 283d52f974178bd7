import site from 'content:site';
import { useEffect, useRef } from 'react';
import { buttonClass } from '../components/button.ts';
import type { SubmissionState } from './message-submission.ts';

type SubmitRowProps = { button: string; state: SubmissionState; onStop(): void };

export function SubmitRow({ button, state, onStop }: SubmitRowProps) {
  const submitButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The submit handler set it without React, so React may not know of it.
    if (state.kind !== 'sending') submitButton.current?.removeAttribute('aria-disabled');
  }, [state]);
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
      <button
        aria-disabled={state.kind === 'sending' || undefined}
        className={buttonClass.primary}
        ref={submitButton}
        type="submit"
      >
        {button}
      </button>
      <p aria-live="polite" className="max-w-prose flex-1 basis-64 text-sm text-muted">
        {describeState(state)}
      </p>
      {state.kind === 'offline' ? (
        <button className={buttonClass.quiet} onClick={onStop} ref={moveFocusOnRemoval} type="button">
          {site.notices.doNotSend}
        </button>
      ) : null}
    </div>
  );
}

function describeState(state: SubmissionState): string | undefined {
  const { sending, offline, unsent } = site.notices;
  if (state.kind === 'sending') return sending;
  if (state.kind === 'offline') return offline;
  return state.kind === 'idle' && state.unsentReason ? unsent[state.unsentReason] : undefined;
}

function moveFocusOnRemoval(button: HTMLButtonElement) {
  return () => {
    if (document.activeElement === button) button.form?.querySelector<HTMLElement>('[type=submit]')?.focus();
  };
}
