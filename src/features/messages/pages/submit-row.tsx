import { site } from 'content:site';
import { useEffect, useRef } from 'react';
import { buttonClass } from '../../../ui/components/button.ts';
import { StatusLine } from '../../../ui/components/notice.tsx';
import type { SubmissionState } from './message-submission.ts';

type SubmitRowProps = { button: string; state: SubmissionState; onStop(): void };

export function SubmitRow({ button, state, onStop }: SubmitRowProps) {
  const submitButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The submit handler set it without React, so React may not know of it.
    if (state.kind !== 'sending') submitButton.current?.removeAttribute('aria-disabled');
  }, [state]);
  const problem = describeProblem(state);
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-4">
      <button
        aria-disabled={state.kind === 'sending' || undefined}
        className={buttonClass.primary}
        ref={submitButton}
        type="submit"
      >
        {button}
      </button>
      <div aria-live="polite" className={problem ? 'basis-full' : 'text-muted'}>
        {state.kind === 'sending' ? site.notices.sending : null}
        {problem ? <StatusLine text={problem} /> : null}
      </div>
      {state.kind === 'offline' ? (
        <button className={buttonClass.quiet} onClick={onStop} ref={moveFocusOnRemoval} type="button">
          {site.notices.doNotSend}
        </button>
      ) : null}
    </div>
  );
}

function describeProblem(state: SubmissionState): string | undefined {
  const { offline, unsent } = site.notices;
  if (state.kind === 'offline') return offline;
  return state.kind === 'idle' && state.unsentReason ? unsent[state.unsentReason] : undefined;
}

function moveFocusOnRemoval(button: HTMLButtonElement) {
  return () => {
    if (document.activeElement === button) button.form?.querySelector<HTMLElement>('[type=submit]')?.focus();
  };
}
