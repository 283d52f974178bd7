import { type FormEvent, useEffect, useRef, useState } from 'react';
import { refusedFragment, sentFragment } from '../../api/contract.ts';
import { createSending, type SendingState } from '../sending.ts';
import { formTarget } from './form-target.ts';
import { leadTo } from './lead-to.ts';
import { MessageInputs, type MessageInputsProps } from './message-inputs.tsx';
import { Notice } from './notice.tsx';
import { describeRefusal } from './refusal.ts';
import { SendRow } from './send-row.tsx';
import { WithoutScript } from './without-script.tsx';

type MessageFormProps = Omit<MessageInputsProps, 'words' | 'wrong'> & {
  words: MessageInputsProps['words'] & { button: string };
};

/** Of a form that was posted natively. */
const nativeAnswers = (
  <>
    <Notice isTarget id={sentFragment} kind="sent" />
    <Notice isTarget id={refusedFragment} kind="refused" />
  </>
);

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
    const { submitter } = event.nativeEvent as SubmitEvent;
    // Seen in the very next frame; React says the same, and more, in the one after.
    if (sending.send()) submitter?.setAttribute('aria-disabled', 'true');
  }

  return (
    <div className="grid gap-6">
      {state.kind === 'idle' || state.kind === 'sending' ? (
        // Hidden by a press, which is answered sooner than if they were taken out, and taken out by its answer.
        <div className="contents" hidden={state.kind === 'sending' || Boolean(state.unsent)}>
          {nativeAnswers}
        </div>
      ) : null}
      {import.meta.env.IS_STATIC ? <WithoutScript /> : null}
      <form
        {...formTarget}
        className={`grid gap-5 ${import.meta.env.IS_STATIC ? 'noscript:hidden' : ''}`}
        name={form}
        onSubmit={send}
        ref={sending.attach}
      >
        <MessageInputs form={form} services={services} words={words} wrong={refusal?.field} />
        <SendRow button={words.button} onStop={sending.stop} state={state} />
      </form>
      <div aria-live="polite" ref={answer}>
        {state.kind === 'sent' ? <Notice kind="sent" reference={state.reference} /> : null}
        {refusal ? <Notice kind="refused" next={describeRefusal(refusal)} /> : null}
      </div>
    </div>
  );
}
