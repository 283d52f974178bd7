import { company } from 'content:company';
import { settings } from 'content:settings';
import { site } from 'content:site';
import { static as texts } from 'content:static';
import { type FormEvent, useState } from 'react';
import { buttonClass } from '../../../ui/components/button.ts';
import { Notice, StatusLine } from '../../../ui/components/notice.tsx';
import { focusField } from '../../../ui/forms/form-feedback.ts';
import { postRecord } from '../../../ui/forms/post-json.ts';
import { NewsletterFields, noteClass, type SignUpTexts } from './newsletter-fields.tsx';
import type * as server from './sign-up-form.tsx';

const responseTimeoutMs = 30_000;

/** The form of a site on a static host: browsers post to a sheet service, or visitors write a mail. */
export const SignUpForm: typeof server.SignUpForm = ({ id, texts: signUpTexts, labelledBy }) => {
  const own = { ...signUpTexts, note: texts.newsletter.note };
  return settings.NEWSLETTER_ENDPOINT ? (
    <DirectNewsletter id={id} labelledBy={labelledBy} texts={own} />
  ) : (
    <NewsletterByMail texts={own} />
  );
};

type DirectNewsletterProps = { id: string; texts: SignUpTexts; labelledBy: string };

function DirectNewsletter({ id, texts: signUpTexts, labelledBy }: DirectNewsletterProps) {
  const [state, setState] = useState<'idle' | 'invalid' | 'sending' | 'sent' | 'refused' | 'offline'>('idle');
  const { sent, refused, failed } = texts.newsletter;

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (state === 'sending') return;
    const form = event.currentTarget;
    const email = String(new FormData(form).get('email'));
    setState('sending');
    const result = await postRecord(
      settings.NEWSLETTER_ENDPOINT,
      { email },
      AbortSignal.timeout(responseTimeoutMs),
    );
    if (result === 'sent') form.reset();
    setState(result);
  }

  function refuseInvalid(event: FormEvent) {
    event.preventDefault();
    setState('invalid');
    focusField(id);
  }

  return (
    <>
      <noscript>
        <NewsletterByMail texts={signUpTexts} />
      </noscript>
      <form
        method="dialog"
        aria-describedby={`${id}-note`}
        aria-labelledby={labelledBy}
        className="grid gap-3 noscript:hidden"
        onInvalid={refuseInvalid}
        onSubmit={send}
      >
        <NewsletterFields
          error={state === 'invalid' ? site.notices.emailRefused : undefined}
          id={id}
          isBusy={state === 'sending'}
          texts={signUpTexts}
        />
        <div aria-live="polite" className="text-sm">
          {state === 'sending' ? site.notices.sending : null}
          {state === 'offline' ? <StatusLine text={failed} /> : null}
          {state === 'sent' ? <Notice kind="sent" next={sent} /> : null}
          {state === 'refused' ? <Notice kind="refused" next={refused} /> : null}
        </div>
      </form>
    </>
  );
}

function NewsletterByMail({ texts: { note } }: { texts: SignUpTexts }) {
  const { write, subject } = texts.newsletter;
  const address = `mailto:${company.email}?subject=${encodeURIComponent(subject)}`;
  return (
    <div className="grid justify-items-start gap-3">
      <a className={buttonClass.primary} href={address}>
        {write}
      </a>
      <p className={noteClass}>{note}</p>
    </div>
  );
}
