import type { PageName } from '../../ui/paths.ts';

/** The component of each page, from the root of the project. */
export const pageFiles: Record<PageName, string> = {
  home: 'src/features/site/pages/home.tsx',
  services: 'src/features/site/pages/services.tsx',
  faq: 'src/features/site/pages/faq.tsx',
  contact: 'src/features/messages/pages/contact.tsx',
  blog: 'src/features/blog/pages/blog.tsx',
  sample: 'src/features/sample-report/pages/sample.tsx',
  audit: 'src/features/audit/pages/audit.tsx',
  'audit-about': 'src/features/audit/pages/audit-about.tsx',
  'audit-report': 'src/features/audit/pages/audit-report.tsx',
  newsletter: 'src/features/newsletter/pages/newsletter.tsx',
  privacy: 'src/features/site/pages/privacy.tsx',
  terms: 'src/features/site/pages/terms.tsx',
  security: 'src/features/site/pages/security.tsx',
  'not-found': 'src/features/site/pages/not-found.tsx',
};
