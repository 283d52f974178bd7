import { resolve } from 'node:path';
import { isPostFile, readPostAsNewsletterIssue } from '../content/blog/post-to-newsletter-issue.ts';
import { consentTextId, readConsentTexts } from '../content/consent-texts.ts';
import { describeContentError, describeFileError } from '../content/content-error.ts';
import { readContent } from '../content/read-content.ts';
import { readNewsletterIssue } from '../content/read-newsletter-issue.ts';
import type { SubscriberMailTexts } from '../deliveries/mail/subscriber-mail.ts';
import type { CurrentConsentTexts } from '../domain/newsletter/pseudonym.ts';

export const contentFolder = resolve(import.meta.dirname, '../../content');

const importWords =
  'Imported by the owner. Consent is given by the button that the confirmation letter leads to.';

export type NewsletterWords = ReturnType<typeof readNewsletterWords>;

let kept: NewsletterWords | undefined;

/** Read at first need: most commands do not use them. */
export function newsletterWords(): NewsletterWords {
  kept ??= readNewsletterWords();
  return kept;
}

function readNewsletterWords() {
  const { content, errors } = readContent(contentFolder);
  if (!content) throw new Error(errors.map(describeContentError).join('\n'));
  const { company, letters, site } = content;
  const issue = letters['newsletter-issue'];
  const confirmation = letters['newsletter-confirm'];
  const registered = describeRegistration(company.registration, site.footer.registration);
  const letter: SubscriberMailTexts = {
    sender: issue.sender,
    replyTo: company.email,
    confirmation: { ...confirmation, body: [confirmation.body.trimEnd(), ...registered].join('\n') },
  };
  const wordings: CurrentConsentTexts = {
    ...readConsentTexts(content),
    import: { id: consentTextId(importWords), text: importWords },
  };
  return {
    letter,
    wordings,
    issue: { ...issue, address: [issue.address, ...registered].join('. ') },
    readIssue(file: string) {
      if (isPostFile(contentFolder, file)) {
        const { issue, errors: found } = readPostAsNewsletterIssue(contentFolder, file, content, new Date());
        return { issue, mistakes: found.map(describeContentError) };
      }
      const { issue, errors: found } = readNewsletterIssue(file, company);
      return { issue, mistakes: found.map(describeFileError) };
    },
  };
}

/** UK companies must show these in mails as on the site. */
function describeRegistration<Name extends string>(
  facts: Record<Name, string | null>,
  labels: Record<Name, string>,
): string[] {
  const names = (Object.keys(labels) as Name[]).filter(name => facts[name]);
  return names.length > 0 ? [names.map(name => `${labels[name]}: ${facts[name]}`).join(', ')] : [];
}
