import { consentTexts } from 'content:consent-texts';
import { newsletterFeedback as feedbackTexts } from 'content:newsletter-feedback';
import { site } from 'content:site';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Notice, StatusLine } from '../../../ui/components/notice.tsx';
import { formField } from '../../../ui/contract.ts';
import { describeRetryAfter, focusField, scrollToFeedback } from '../../../ui/forms/form-feedback.ts';
import { consentTextField, type NewsletterFormName, signUpPath } from '../contract.ts';
import { NewsletterFields, type SignUpTexts } from './newsletter-fields.tsx';
import {
  createNewsletterSubmission,
  type NewsletterRefusal,
  type NewsletterSubmissionState,
} from './newsletter-submission.ts';

/** `labelledBy` is the id of the heading above it. */
type SignUpFormProps = { id: string; form: NewsletterFormName; texts: SignUpTexts; labelledBy: string };

export function SignUpForm({ id, form, texts, labelledBy }: SignUpFormProps) {
  const [state, setState] = useState<NewsletterSubmissionState>({ kind: 'idle' });
  const [submission] = useState(() => createNewsletterSubmission(form, setState));
  const refusal = state.kind === 'refused' ? state : undefined;
  const isAddressRefused = refusal?.reason === 'address';
  const feedback = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (refusal?.reason === 'address') focusField(id);
    else if (state.kind !== 'idle' && state.kind !== 'sending') scrollToFeedback(feedback.current);
  }, [id, refusal, state.kind]);
  const problem = describeProblem(state);

  function send(event: FormEvent) {
    event.preventDefault();
    submission.send();
  }

  return (
    <form
      action={signUpPath}
      aria-describedby={`${id}-note`}
      aria-labelledby={labelledBy}
      className="grid gap-3"
      method="post"
      onSubmit={send}
      ref={submission.attach}
    >
      <input name={formField} type="hidden" value={form} />
      <input name={consentTextField} type="hidden" value={consentTexts[form]} />
      <NewsletterFields
        error={isAddressRefused ? feedbackTexts.emailRefused : undefined}
        id={id}
        isBusy={state.kind === 'sending'}
        texts={texts}
      />
      <div aria-live="polite" className="text-sm" ref={feedback}>
        {state.kind === 'sending' ? site.notices.sending : null}
        {problem ? <StatusLine text={problem} /> : null}
        {state.kind === 'sent' ? (
          <Notice heading={feedbackTexts.sent} kind="sent" next={feedbackTexts.sentNext} />
        ) : null}
        {refusal && !isAddressRefused ? (
          <Notice heading={feedbackTexts.refused} kind="refused" next={describeRefusal(refusal)} />
        ) : null}
      </div>
    </form>
  );
}

function describeProblem(state: NewsletterSubmissionState): string | undefined {
  if (state.kind === 'offline') return feedbackTexts.offline;
  return state.kind === 'idle' && state.wasEdited ? feedbackTexts.unsent : undefined;
}

function describeRefusal({ reason, retryAfterMinutes }: NewsletterRefusal): string {
  return reason === 'tooMany'
    ? feedbackTexts.tooMany.replace('{when}', describeRetryAfter(retryAfterMinutes))
    : feedbackTexts.refusedNext;
}
