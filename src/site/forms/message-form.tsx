import { formProps, NoScriptContact } from 'site:endpoint';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { refusedFragment, sentFragment } from '../../api/contract.ts';
import { Notice } from '../components/notice.tsx';
import { describeRefusal, focusField } from './form-feedback.ts';
import { MessageInputs, type MessageInputsProps } from './message-inputs.tsx';
import { createMessageSubmission, type SubmissionState } from './message-submission.ts';
import { SubmitRow } from './submit-row.tsx';

type MessageFormProps = Omit<MessageInputsProps, 'words' | 'wrong'> & {
  words: MessageInputsProps['words'] & { button: string };
};

const nativeAnswers = (
  <>
    <Notice isTarget id={sentFragment} kind="sent" />
    <Notice isTarget id={refusedFragment} kind="refused" />
  </>
);

export function MessageForm({ form, words, services }: MessageFormProps) {
  const [state, setState] = useState<SubmissionState>({ kind: 'idle' });
  const [sending] = useState(() => createMessageSubmission(form, setState));
  const refusal = state.kind === 'refused' ? state : undefined;
  const answer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (refusal?.field) focusField(`${form}-${refusal.field}`);
    else if (state.kind === 'sent' || refusal) answer.current?.scrollIntoView({ block: 'nearest' });
  }, [form, refusal, state.kind]);

  function send(event: FormEvent) {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    // Painted in the next frame; React renders the same in the one after.
    if (sending.send()) submitter?.setAttribute('aria-disabled', 'true');
  }

  return (
    <div className="grid gap-6">
      {state.kind === 'idle' || state.kind === 'sending' ? (
        // The press hides them, which paints sooner than removing them; the answer removes them.
        <div className="contents" hidden={state.kind === 'sending' || Boolean(state.unsent)}>
          {nativeAnswers}
        </div>
      ) : null}
      <NoScriptContact />
      <form
        {...formProps}
        className={`grid gap-5 ${formProps.method === 'dialog' ? 'noscript:hidden' : ''}`}
        name={form}
        onSubmit={send}
        ref={sending.attach}
      >
        <MessageInputs form={form} services={services} words={words} wrong={refusal?.field} />
        <SubmitRow button={words.button} onStop={sending.stop} state={state} />
      </form>
      <div aria-live="polite" ref={answer}>
        {state.kind === 'sent' ? <Notice kind="sent" reference={state.reference} /> : null}
        {refusal ? <Notice kind="refused" next={describeRefusal(refusal)} /> : null}
      </div>
    </div>
  );
}
