import type { ContentFile, ContentPart } from '../../core/content/content-part.ts';
import { confirmationMail, issueMail, newsletter } from './schemas/newsletter.ts';

const inEmails = { group: 'mails' } satisfies Partial<ContentFile>;

export const newsletterContent = {
  name: 'newsletter',
  switchHint:
    'The boxes to sign up, the newsletter in the desk and its commands. Without it, subscribers can still unsubscribe.',
  files: {
    newsletter: {
      path: 'newsletter.yaml',
      schema: newsletter,
      placeholders: ['when'],
      pages: Object.keys(newsletter.entries.pages.entries).map(name => ['pages', name]),
      title: 'Newsletter form and pages',
      group: 'pages',
      preview: '/newsletter/asked',
    },
    confirmationMail: {
      ...inEmails,
      path: 'emails/confirmation.md',
      schema: confirmationMail,
      placeholders: ['link'],
      title: 'Email: confirm a subscription',
    },
    issueMail: {
      ...inEmails,
      path: 'emails/newsletter-issue.yaml',
      schema: issueMail,
      title: 'Around every newsletter issue',
    },
  },
} satisfies ContentPart;
