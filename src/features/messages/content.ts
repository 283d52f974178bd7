import type { ContentPart } from '../../core/content/content-part.ts';
import { hostingPlaceholders } from '../../core/content/hosting.ts';
import { acknowledgementMail, contact } from './schemas/contact.ts';

export const messagesContent = {
  name: 'messages',
  files: {
    contact: {
      path: 'contact.yaml',
      schema: contact,
      placeholders: hostingPlaceholders,
      pages: [[]],
      title: 'Contact page',
      group: 'pages',
      preview: '/contact',
    },
    acknowledgementMail: {
      path: 'emails/acknowledgement.md',
      schema: acknowledgementMail,
      placeholders: ['reference'],
      title: 'Email: we have your message',
      group: 'mails',
    },
  },
} satisfies ContentPart;
