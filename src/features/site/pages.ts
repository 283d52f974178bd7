import type { SitePart } from '../../ui/page.ts';
import { paths } from '../../ui/paths.ts';

export const site = {
  name: 'site',
  pages: [
    {
      name: 'home',
      paths: [paths.home],
      component: 'pages/home.tsx',
      indexed: { content: 'home', illustration: 'shield' },
    },
    {
      name: 'services',
      paths: [paths.services],
      component: 'pages/services.tsx',
      indexed: { content: 'services', illustration: 'network-security' },
    },
    {
      name: 'faq',
      paths: [paths.faq],
      component: 'pages/faq.tsx',
      indexed: { content: 'faq', illustration: 'computer-security' },
    },
    {
      name: 'privacy',
      paths: ['/privacy'],
      component: 'pages/privacy.tsx',
      indexed: { content: 'privacy', illustration: 'data-security', isPolicy: true },
    },
    {
      name: 'terms',
      paths: ['/terms-and-condition'],
      component: 'pages/terms.tsx',
      indexed: { content: 'terms', illustration: 'locker-security', isPolicy: true },
    },
    {
      name: 'security',
      paths: [paths.security],
      component: 'pages/security.tsx',
      indexed: { content: 'security', illustration: 'web-security', isPolicy: true },
    },
    { name: 'not-found', paths: [], component: 'pages/not-found.tsx' },
  ],
  slots: { 'contact-end': { component: 'pages/owner-facts.tsx' } },
} as const satisfies SitePart;
