import { formProps, NoScriptContact } from 'site:forms';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Notice } from '../../../ui/components/notice.tsx';
import { focusField, scrollToFeedback } from '../../../ui/forms/form-feedback.ts';
import { emptyFragment, notSentFragment, sentFragment } from '../contract.ts';
import { describeRefusal } from './describe-refusal.ts';
import { MessageInputs, type MessageInputsProps } from './message-inputs.tsx';
import { createMessageSubmission, type SubmissionState } from './message-submission.ts';
import { SubmitRow } from './submit-row.tsx';

type MessageFormProps = Omit<MessageInputsProps, 'texts' | 'invalidField'> & {
  texts: MessageInputsProps['texts'] & { button: string };
  /** The id of the heading above it. */
  labelledBy: string;
};

const nativeFeedback = (
  <>
    <Notice isTarget id={sentFragment} kind="sent" />
    <Notice isTarget id={emptyFragment} kind="empty" />
    <Notice isTarget id={notSentFragment} kind="refused" />
  </>
);

export function Component({ form, texts, choices, labelledBy }: MessageFormProps) {
  const [state, setState] = useState<SubmissionState>({ kind: 'idle' });
  const [submission] = useState(() => createMessageSubmission(form, setState));
  const refusal = state.kind === 'refused' ? state : undefined;
  const invalid = state.kind === 'invalid' ? state : refusal;
  const feedback = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (invalid?.field) focusField(`${form}-${invalid.field}`);
    else if (state.kind !== 'idle' && state.kind !== 'sending') scrollToFeedback(feedback.current);
  }, [form, invalid, state.kind]);

  function send(event: FormEvent) {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    // Set on the element directly: a React render would show it a frame later.
    if (submission.send()) submitter?.setAttribute('aria-disabled', 'true');
  }

  return (
    <div className="grid gap-6">
      {state.kind === 'idle' || state.kind === 'sending' ? (
        // Hidden while sending: that paints sooner than removing them.
        <div className="contents" hidden={state.kind === 'sending' || Boolean(state.unsentReason)}>
          {nativeFeedback}
        </div>
      ) : null}
      <NoScriptContact />
      <form
        {...formProps}
        aria-labelledby={labelledBy}
        className={`grid gap-5 ${formProps.method === 'dialog' ? 'noscript:hidden' : ''}`}
        name={form}
        onSubmit={send}
        ref={submission.attach}
      >
        <MessageInputs form={form} choices={choices} texts={texts} invalidField={invalid?.field} />
        <SubmitRow button={texts.button} onStop={submission.stop} state={state} />
      </form>
      <div aria-live="polite" ref={feedback}>
        {state.kind === 'sent' ? (
          <Notice kind={state.isEmpty ? 'empty' : 'sent'} reference={state.reference} />
        ) : null}
        {refusal ? <Notice kind="refused" next={describeRefusal(refusal)} /> : null}
      </div>
    </div>
  );
}
