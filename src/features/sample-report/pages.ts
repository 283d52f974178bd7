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
} as const satisfies SitePart;
