import type { SitePart } from '../../ui/page.ts';
import { samplePath } from './contract.ts';

export const sampleReport = {
  name: 'sample-report',
  pages: [
    {
      name: 'sample',
      paths: [samplePath],
      component: 'pages/sample.tsx',
      document: 'pages/sample-document.tsx',
      indexed: { content: 'sample', illustration: 'services' },
    },
  ],
  slots: {
    'call-to-action': { component: 'pages/sample-link.tsx' },
    contact: { component: 'pages/sample-summary.tsx' },
    home: { component: 'pages/sample-finding.tsx' },
    'home-intro': { component: 'pages/exposure-plot.tsx' },
    services: { component: 'pages/sample-retest.tsx' },
  },
} as const satisfies SitePart;
