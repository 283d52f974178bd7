import site from 'content:site';
import { useEffect, useRef } from 'react';
import { buttonClass } from '../components/button.ts';
import type { SubmissionState } from './message-submission.ts';

type SubmitRowProps = { button: string; state: SubmissionState; onStop(): void };

export function SubmitRow({ button, state, onStop }: SubmitRowProps) {
  const sender = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The press set it without React: an answer that comes sooner than a render leaves it set.
    if (state.kind !== 'sending') sender.current?.removeAttribute('aria-disabled');
  }, [state]);
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
      <button
        aria-disabled={state.kind === 'sending' || undefined}
        className={buttonClass.primary}
        ref={sender}
        type="submit"
      >
        {button}
      </button>
      <p aria-live="polite" className="max-w-prose flex-1 basis-64 text-sm text-muted">
        {describe(state)}
      </p>
      {state.kind === 'offline' ? (
        <button className={buttonClass.quiet} onClick={onStop} ref={passFocusOn} type="button">
          {site.notices.doNotSend}
        </button>
      ) : null}
    </div>
  );
}

function describe(state: SubmissionState): string | undefined {
  const { sending, offline, unsent } = site.notices;
  if (state.kind === 'sending') return sending;
  if (state.kind === 'offline') return offline;
  return state.kind === 'idle' && state.unsent ? unsent[state.unsent] : undefined;
}

/** A button that is removed while focused passes the focus to the submit button. */
function passFocusOn(button: HTMLButtonElement) {
  return () => {
    if (document.activeElement === button) button.form?.querySelector<HTMLElement>('[type=submit]')?.focus();
  };
}
