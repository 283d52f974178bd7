import type { SitePart } from '../../ui/page.ts';
import { auditPaths } from './contract.ts';

export const audit = {
  name: 'audit',
  pages: [
    {
      name: 'audit',
      paths: [auditPaths.page],
      component: 'pages/audit.tsx',
      needsServer: true,
      // Switched off, the page says no more than that.
      indexed: { content: 'audit', illustration: 'shield', isOff: ({ AUDIT }) => AUDIT === 'off' },
    },
    {
      name: 'audit-about',
      paths: [auditPaths.about],
      component: 'pages/audit-about.tsx',
      needsServer: true,
      indexed: { content: 'audit-about', illustration: 'web-security', isPolicy: true },
    },
    {
      name: 'audit-report',
      paths: [auditPaths.report, `${auditPaths.report}/*`],
      component: 'pages/audit-report.tsx',
      document: 'pages/audit-report-document.tsx',
      needsServer: true,
    },
  ],
  slots: {
    'check-link': {
      component: 'pages/audit-link.tsx',
      needsServer: true,
      isOff: ({ AUDIT }) => AUDIT === 'off',
    },
  },
} as const satisfies SitePart;
