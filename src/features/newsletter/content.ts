import type { ContentPart } from '../../core/content/content-part.ts';
import { issueMailFile } from '../../core/mail/issue-mail.ts';
import { confirmationMail, newsletter } from './schemas/newsletter.ts';

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
      path: 'emails/confirmation.md',
      schema: confirmationMail,
      placeholders: ['link'],
      title: 'Email: confirm a subscription',
      group: 'mails',
    },
    issueMail: issueMailFile,
  },
} satisfies ContentPart;
