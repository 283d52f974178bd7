import type { SitePart } from '../../ui/page.ts';
import { paths } from '../../ui/paths.ts';

export const messages = {
  name: 'messages',
  pages: [
    {
      name: 'contact',
      paths: [paths.contact],
      component: 'pages/contact.tsx',
      indexed: { content: 'contact', illustration: 'contact', schemaType: 'ContactPage' },
    },
  ],
  slots: { 'message-form': { component: 'pages/message-form.tsx' } },
  variants: { 'site:forms': { server: 'pages/server-forms.tsx', static: 'pages/static-forms.tsx' } },
} as const satisfies SitePart;
