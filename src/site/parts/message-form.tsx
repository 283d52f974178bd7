import site from 'content:site';
import { type FormEvent, type ReactNode, useState } from 'react';
import { contactPath, type FormName, formField, refusedFragment, sentFragment } from '../../api/contract.ts';
import { type SendResult, sendMessage } from '../send-message.ts';
import { buttonLook } from './button.ts';
import { TextArea, TextField } from './field.tsx';
import { Notice } from './notice.tsx';

type MessageFormProps = {
  form: FormName;
  words: { name: string; email: string; message: string; button: string; hint: string };
  /** Fields that stand before the others. */
  children?: ReactNode;
};

type FormState = { kind: 'idle' } | { kind: 'sending' } | SendResult;

/** Posts natively until React is here, then without leaving the page. Either way it sends the fields as they are. */
export function MessageForm({ form, words, children }: MessageFormProps) {
  const [state, setState] = useState<FormState>({ kind: 'idle' });
  const isSending = state.kind === 'sending';
  const isEmailRefused = state.kind === 'refused' && state.field === 'email';

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isSending) return;
    const element = event.currentTarget;
    setState({ kind: 'sending' });
    const result = await sendMessage(new FormData(element));
    if (result.kind === 'sent') element.reset();
    setState(result);
  }

  return (
    <div className="grid gap-6">
      {state.kind === 'idle' ? (
        <>
          <Notice isTarget id={sentFragment} kind="sent" />
          <Notice isTarget id={refusedFragment} kind="refused" />
        </>
      ) : null}
      <form action={contactPath} className="grid gap-5" method="post" onSubmit={send}>
        <input name={formField} type="hidden" value={form} />
        {children}
        <TextField autoComplete="name" id={`${form}-name`} label={words.name} name="name" type="text" />
        <TextField
          autoComplete="email"
          error={isEmailRefused ? site.notices.emailRefused : undefined}
          id={`${form}-email`}
          label={words.email}
          name="email"
          type="email"
        />
        <TextArea id={`${form}-message`} label={words.message} name="message" rows={6} />
        <p className="text-sm text-muted">{words.hint}</p>
        <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
          <button aria-disabled={isSending || undefined} className={buttonLook.primary} type="submit">
            {words.button}
          </button>
          <p aria-live="polite" className="text-sm text-muted">
            {isSending ? site.notices.sending : null}
            {state.kind === 'offline' ? site.notices.offline : null}
          </p>
        </div>
      </form>
      <div aria-live="polite">
        {state.kind === 'sent' ? <Notice kind="sent" reference={state.reference} /> : null}
        {state.kind === 'refused' ? <Notice kind="refused" /> : null}
      </div>
    </div>
  );
}
