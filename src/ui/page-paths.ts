export const pagePaths = {
  home: '/',
  services: '/creator',
  contact: '/contact',
  privacy: '/privacy',
  faq: '/faq',
  terms: '/terms-and-condition',
  security: '/security',
  sample: '/sample-report',
  blog: '/blog',
  audit: '/audit',
  'audit-about': '/audit/about',
} as const;
