import settings from 'content:settings';
import staticWords from 'content:static';
import { contactPath, formField } from '../../api/contract.ts';
import { DirectNewsletter, NewsletterByMail } from './direct-newsletter.tsx';
import { NewsletterFields, type NewsletterWords } from './newsletter-fields.tsx';

/** Asks to be added: the request reaches the company as a message that names itself. A plain form post. */
export function NewsletterBox({ id, words }: { id: string; words: NewsletterWords }) {
  if (import.meta.env.IS_STATIC) {
    const own = { ...words, note: staticWords.newsletter.note };
    return settings.NEWSLETTER_ENDPOINT ? (
      <DirectNewsletter id={id} words={own} />
    ) : (
      <NewsletterByMail words={own} />
    );
  }
  return (
    <form action={contactPath} aria-describedby={`${id}-note`} className="grid gap-3" method="post">
      <input name={formField} type="hidden" value="newsletter" />
      <input name="service" type="hidden" value="Newsletter" />
      <NewsletterFields id={id} words={words} />
    </form>
  );
}
