import type { ContentFile, ContentPart } from '../../core/content/content-part.ts';
import { hostingPlaceholders } from '../../core/content/hosting.ts';
import { policy } from '../../core/content/schemas/policy.ts';
import { findContentErrors } from './find-content-errors.ts';
import { faq } from './schemas/faq.ts';
import { home } from './schemas/home.ts';
import { services } from './schemas/services.ts';
import { seo, site, staticSite } from './schemas/site.ts';

const inPages = { group: 'pages', pages: [[]] } satisfies Partial<ContentFile>;
const inPolicies = { group: 'policies', pages: [[]], schema: policy } satisfies Partial<ContentFile>;
const onEveryPage = { group: 'every page', preview: '/' } satisfies Partial<ContentFile>;

export const siteContent = {
  name: 'site',
  files: {
    home: {
      ...inPages,
      path: 'home.yaml',
      schema: home,
      placeholders: ['name', 'number', 'total'],
      title: 'Home page',
      preview: '/',
    },
    services: {
      ...inPages,
      path: 'services.yaml',
      schema: services,
      title: 'Services page',
      preview: '/creator',
    },
    faq: {
      ...inPages,
      path: 'faq.yaml',
      schema: faq,
      placeholders: ['number', 'total', ...hostingPlaceholders],
      title: 'Help & FAQ',
      preview: '/faq',
    },
    privacy: {
      ...inPolicies,
      path: 'privacy.md',
      placeholders: hostingPlaceholders,
      title: 'Privacy policy',
      preview: '/privacy',
    },
    terms: { ...inPolicies, path: 'terms.md', title: 'Terms', preview: '/terms-and-condition' },
    security: {
      ...inPolicies,
      path: 'security.md',
      placeholders: hostingPlaceholders,
      title: 'Security policy',
      preview: '/security',
    },
    site: {
      ...onEveryPage,
      path: 'site.yaml',
      schema: site,
      placeholders: ['name', 'number', 'when'],
      hasSwitches: true,
      pages: [['notFound']],
      movedToBrand: ['header.home', 'header.services', 'header.contact', 'footer.columns'],
      title: 'Header, footer and notices',
    },
    seo: {
      ...onEveryPage,
      path: 'seo.yaml',
      schema: seo,
      title: 'Summary for search engines and assistants',
    },
    static: {
      ...onEveryPage,
      path: 'static.yaml',
      schema: staticSite,
      placeholders: ['name'],
      title: 'Words for a site without a server',
      preview: '/contact',
    },
  },
  findErrors: findContentErrors,
} satisfies ContentPart;
