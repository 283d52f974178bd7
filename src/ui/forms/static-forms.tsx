import { company } from 'content:company';
import { settings } from 'content:settings';
import { site } from 'content:site';
import { static as texts } from 'content:static';
import { type FormEvent, useState } from 'react';
import { messageFields } from '../../features/messages/message-fields.ts';
import {
  NewsletterFields,
  noteClass,
  type SignUpTexts,
} from '../../features/newsletter/pages/newsletter-fields.tsx';
import { buttonClass } from '../components/button.ts';
import { EmailLink, PhoneLink } from '../components/contact-links.tsx';
import { Notice, StatusLine } from '../components/notice.tsx';
import { focusField } from './form-feedback.ts';
import { type OutgoingMessage, postJson, type SendResult } from './send-message.ts';
import type * as server from './server-forms.tsx';

/** The forms of a site on a static host: browsers post to a sheet service, which needs JavaScript. */
export const formProps: typeof server.formProps = { method: 'dialog' };

/** A sheet service has no idempotency keys and adds a row for each post, so only the visitor may retry. */
export const canRetry: typeof server.canRetry = false;

const responseTimeoutMs = 30_000;

export const sendMessage: typeof server.sendMessage = ({ fields }: OutgoingMessage, signal: AbortSignal) => {
  const { name = '', email = '', message = '', ...details } = fields;
  const lines = messageFields.flatMap(field => {
    const value = details[field.name as keyof typeof details];
    return value ? [`${field.label}: ${value}`] : [];
  });
  const text = [...lines, message].filter(Boolean).join('\n');
  return postRecord(settings.CONTACT_ENDPOINT, { name, email, message: text }, signal);
};

async function postRecord(
  endpoint: string,
  record: Record<string, string>,
  signal: AbortSignal,
): Promise<SendResult> {
  const response = await postJson(endpoint, record, {}, signal);
  if (!response) return { kind: 'offline' };
  return response.status === 200 ? { kind: 'sent', reference: '' } : { kind: 'refused' };
}

export const fetchFormToken: typeof server.fetchFormToken = async () => undefined;

export const HiddenFields: typeof server.HiddenFields = () => null;

export const NoScriptContact: typeof server.NoScriptContact = () => (
  <noscript>
    <div className="rounded-card border-2 border-edge px-6 py-5">
      <p>{texts.withoutScript}</p>
      <p className="mt-2 flex flex-wrap items-center gap-x-6">
        <PhoneLink className="text-lg" />
        <EmailLink />
      </p>
    </div>
  </noscript>
);

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
  const [state, setState] = useState<'idle' | 'invalid' | 'sending' | SendResult['kind']>('idle');
  const { sent, refused, failed } = texts.newsletter;

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (state === 'sending') return;
    const form = event.currentTarget;
    const email = String(new FormData(form).get('email'));
    setState('sending');
    const { kind } = await postRecord(
      settings.NEWSLETTER_ENDPOINT,
      { email },
      AbortSignal.timeout(responseTimeoutMs),
    );
    if (kind === 'sent') form.reset();
    setState(kind);
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
        {...formProps}
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
