import company from 'content:company';
import settings from 'content:settings';
import site from 'content:site';
import staticWords from 'content:static';
import { type FormEvent, useState } from 'react';
import type { SendResult } from '../send-message.ts';
import { postRecord } from '../send-to-service.ts';
import { buttonLook } from './button.ts';
import { formTarget } from './form-target.ts';
import { NewsletterFields, type NewsletterWords, noteLook } from './newsletter-fields.tsx';
import { Notice } from './notice.tsx';

const answerMs = 30_000;

/** On a static site: posts the address straight to the newsletter service. */
export function DirectNewsletter({ id, words }: { id: string; words: NewsletterWords }) {
  const [state, setState] = useState<'idle' | 'sending' | SendResult['kind']>('idle');
  const { sent, refused, failed } = staticWords.newsletter;

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (state === 'sending') return;
    const form = event.currentTarget;
    const email = String(new FormData(form).get('email'));
    setState('sending');
    const { kind } = await postRecord(settings.NEWSLETTER_ENDPOINT, { email }, AbortSignal.timeout(answerMs));
    if (kind === 'sent') form.reset();
    setState(kind);
  }

  return (
    <>
      <noscript>
        <NewsletterByMail words={words} />
      </noscript>
      <form
        {...formTarget}
        aria-describedby={`${id}-note`}
        className="grid gap-3 noscript:hidden"
        onSubmit={send}
      >
        <NewsletterFields id={id} isBusy={state === 'sending'} words={words} />
        <div aria-live="polite" className="text-sm">
          {state === 'sending' ? site.notices.sending : null}
          {state === 'offline' ? failed : null}
          {state === 'sent' ? <Notice kind="sent" next={sent} /> : null}
          {state === 'refused' ? <Notice kind="refused" next={refused} /> : null}
        </div>
      </form>
    </>
  );
}

/** On a static site without such a service, or without JavaScript: the visitor's own mail program asks. */
export function NewsletterByMail({ words }: { words: NewsletterWords }) {
  const { write, subject } = staticWords.newsletter;
  const address = `mailto:${company.email}?subject=${encodeURIComponent(subject)}`;
  return (
    <div className="grid justify-items-start gap-3">
      <a className={buttonLook.primary} href={address}>
        {write}
      </a>
      <p className={noteLook}>{words.note}</p>
    </div>
  );
}
