import { type FormEvent, useEffect, useRef, useState } from 'react';
import { formField, refusedFragment, sentFragment, trapField, unsentField } from '../../api/contract.ts';
import { createSending, type SendingState } from '../sending.ts';
import { formTarget } from './form-target.ts';
import { leadTo } from './lead-to.ts';
import { MessageInputs, type MessageInputsProps } from './message-inputs.tsx';
import { Notice } from './notice.tsx';
import { describeRefusal } from './refusal.ts';
import { SendRow } from './send-row.tsx';
import { TrapField } from './trap-field.tsx';
import { WithoutScript } from './without-script.tsx';

type MessageFormProps = Omit<MessageInputsProps, 'words' | 'wrong'> & {
  words: MessageInputsProps['words'] & { button: string; hint: string };
};

/** Posts natively until React is here, then without leaving the page. Either way it sends the fields as they are. */
export function MessageForm({ form, words, services }: MessageFormProps) {
  const [state, setState] = useState<SendingState>({ kind: 'idle' });
  const [sending] = useState(() => createSending(form, setState));
  const refusal = state.kind === 'refused' ? state : undefined;
  const answer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (refusal?.field) leadTo(`${form}-${refusal.field}`);
    else if (state.kind === 'sent' || refusal) answer.current?.scrollIntoView({ block: 'nearest' });
  }, [form, refusal, state.kind]);

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
      {import.meta.env.IS_STATIC ? <WithoutScript /> : null}
      <form
        {...formTarget}
        className={`grid gap-5 ${import.meta.env.IS_STATIC ? 'noscript:hidden' : ''}`}
        name={form}
        onSubmit={send}
        ref={sending.attach}
      >
        <input name={formField} type="hidden" value={form} />
        {import.meta.env.IS_STATIC ? null : <input name={unsentField} type="hidden" />}
        <MessageInputs form={form} services={services} words={words} wrong={refusal?.field} />
        {import.meta.env.IS_STATIC ? null : <TrapField id={`${form}-${trapField}`} />}
        <p className="text-sm text-muted" id={`${form}-hint`}>
          {words.hint}
        </p>
        <SendRow button={words.button} onStop={sending.stop} state={state} />
      </form>
      <div aria-live="polite" ref={answer}>
        {state.kind === 'sent' ? <Notice kind="sent" reference={state.reference} /> : null}
        {refusal ? <Notice kind="refused" next={describeRefusal(refusal)} /> : null}
      </div>
    </div>
  );
}
