import settings from 'content:settings';
import staticWords from 'content:static';
import type { NewsletterForm as FormName } from '../../api/contract.ts';
import { DirectNewsletter, NewsletterByMail } from './direct-newsletter.tsx';
import type { NewsletterWords } from './newsletter-fields.tsx';
import { NewsletterForm } from './newsletter-form.tsx';

type NewsletterBoxProps = { id: string; form: FormName; words: NewsletterWords };

/** Asks for the newsletter in the way that the site is hosted: our own server, a service, or a letter. */
export function NewsletterBox({ id, form, words }: NewsletterBoxProps) {
  if (!import.meta.env.IS_STATIC) return <NewsletterForm form={form} id={id} words={words} />;
  const own = { ...words, note: staticWords.newsletter.note };
  return settings.NEWSLETTER_ENDPOINT ? (
    <DirectNewsletter id={id} words={own} />
  ) : (
    <NewsletterByMail words={own} />
  );
}
