import { resolve } from 'node:path';
import { isPostFile, readPostIssue } from '../content/blog/post-issue.ts';
import { describeMistakeAnywhere, readIssue } from '../content/issue.ts';
import { describeMistake, readContent } from '../content/read.ts';
import { readWordings } from '../content/wording.ts';
import type { LetterWords } from '../deliveries/letters.ts';
import type { Wordings } from '../domain/subscribers/naming.ts';
import { systemClock } from '../lib/clock.ts';

export const contentFolder = resolve(import.meta.dirname, '../../content');

export type NewsletterWords = ReturnType<typeof readNewsletterWords>;

let kept: NewsletterWords | undefined;

/** The owner's words for letters and consent, read at first need: most commands have none. */
export function newsletterWords(): NewsletterWords {
  kept ??= readNewsletterWords();
  return kept;
}

function readNewsletterWords() {
  const { content, mistakes } = readContent(contentFolder);
  if (!content) throw new Error(mistakes.map(describeMistake).join('\n'));
  const { company, letters, site } = content;
  const issue = letters['newsletter-issue'];
  const confirmation = letters['newsletter-confirm'];
  const registered = describeRegistration(company.registration, site.footer.registration);
  const letter: LetterWords = {
    sender: issue.sender,
    replyTo: company.email,
    confirmation: { ...confirmation, body: [confirmation.body.trimEnd(), ...registered].join('\n') },
  };
  const wordings: Wordings = readWordings(content);
  return {
    letter,
    wordings,
    issue: { ...issue, address: [issue.address, ...registered].join('. ') },
    /** A file of the owner's, or a post of the blog. */
    readIssue(file: string, now = systemClock.now()) {
      if (isPostFile(contentFolder, file)) {
        const { issue, mistakes: found } = readPostIssue(contentFolder, file, content, now);
        return { issue, mistakes: found.map(describeMistake) };
      }
      const { issue, mistakes: found } = readIssue(file, company);
      return { issue, mistakes: found.map(describeMistakeAnywhere) };
    },
  };
}

/** What a company must tell in its letters as on its site, as far as the owner has filled it in. */
function describeRegistration<Name extends string>(
  facts: Record<Name, string | null>,
  labels: Record<Name, string>,
): string[] {
  const names = (Object.keys(labels) as Name[]).filter(name => facts[name]);
  return names.length > 0 ? [names.map(name => `${labels[name]}: ${facts[name]}`).join(', ')] : [];
}
