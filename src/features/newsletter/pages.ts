import type { SitePart } from '../../ui/page.ts';
import { newsletterPaths } from './contract.ts';

export const newsletter = {
  name: 'newsletter',
  pages: [
    {
      name: 'newsletter',
      paths: Object.values(newsletterPaths),
      component: 'pages/newsletter.tsx',
      needsServer: true,
      staysWhenOff: true,
    },
  ],
  slots: {
    footer: { component: 'pages/footer-sign-up.tsx' },
    // On a page that stays when the newsletter is switched off.
    'sign-up-again': { component: 'pages/sign-up-again.tsx', needsServer: true },
    'home-end': { component: 'pages/home-sign-up.tsx' },
  },
  variants: {
    'site:sign-up': { server: 'pages/sign-up-form.tsx', static: 'pages/static-sign-up-form.tsx' },
  },
} as const satisfies SitePart;
