import site from 'content:site';
import { type FormEvent, type ReactNode, useState } from 'react';
import { contactPath, type FormName, formField, refusedFragment, sentFragment } from '../../api/contract.ts';
import { createSending, type SendingState } from '../sending.ts';
import { buttonLook } from './button.ts';
import { TextArea, TextField } from './field.tsx';
import { Notice } from './notice.tsx';

type MessageFormProps = {
  form: FormName;
  words: { name: string; email: string; message: string; button: string; hint: string };
  /** Fields that stand before the others. */
  children?: ReactNode;
};

/** Posts natively until React is here, then without leaving the page. Either way it sends the fields as they are. */
export function MessageForm({ form, words, children }: MessageFormProps) {
  const [state, setState] = useState<SendingState>({ kind: 'idle' });
  const [sending] = useState(() => createSending(form, setState));
  const isEmailRefused = state.kind === 'refused' && state.field === 'email';

  function send(event: FormEvent) {
    event.preventDefault();
    sending.send();
  }

  return (
    <div className="grid gap-6">
      {state.kind === 'idle' && !state.unsent ? (
        <>
          <Notice isTarget id={sentFragment} kind="sent" />
          <Notice isTarget id={refusedFragment} kind="refused" />
        </>
      ) : null}
      <form
        action={contactPath}
        className="grid gap-5"
        method="post"
        name={form}
        onSubmit={send}
        ref={sending.attach}
      >
        <input name={formField} type="hidden" value={form} />
        {children}
        <TextField autoComplete="name" id={`${form}-name`} label={words.name} name="name" type="text" />
        <TextField
          autoComplete="email"
          error={isEmailRefused ? site.notices.emailRefused : undefined}
          hintId={`${form}-hint`}
          id={`${form}-email`}
          label={words.email}
          name="email"
          type="email"
        />
        <TextArea id={`${form}-message`} label={words.message} name="message" rows={6} />
        <p className="text-sm text-muted" id={`${form}-hint`}>
          {words.hint}
        </p>
        <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
          <button
            aria-disabled={state.kind === 'sending' || undefined}
            className={buttonLook.primary}
            type="submit"
          >
            {words.button}
          </button>
          <p aria-live="polite" className="max-w-prose flex-1 basis-64 text-sm text-muted">
            {describe(state)}
          </p>
          {state.kind === 'offline' ? (
            <button className={buttonLook.quiet} onClick={sending.stop} ref={passFocusOn} type="button">
              {site.notices.doNotSend}
            </button>
          ) : null}
        </div>
      </form>
      <div aria-live="polite">
        {state.kind === 'sent' ? <Notice kind="sent" reference={state.reference} /> : null}
        {state.kind === 'refused' ? <Notice kind="refused" /> : null}
      </div>
    </div>
  );
}

function describe(state: SendingState): string | undefined {
  const { sending, offline, unsent } = site.notices;
  if (state.kind === 'sending') return sending;
  if (state.kind === 'offline') return offline;
  return state.kind === 'idle' && state.unsent ? unsent[state.unsent] : undefined;
}

/** A button that goes while it has the focus, for whatever reason, leaves it to the one that sends. */
function passFocusOn(button: HTMLButtonElement) {
  return () => {
    if (document.activeElement === button) button.form?.querySelector<HTMLElement>('[type=submit]')?.focus();
  };
}
