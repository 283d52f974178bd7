import type { SitePart } from '../../ui/page.ts';
import { blogPath, feedPaths } from './contract.ts';

export const blog = {
  name: 'blog',
  pages: [
    {
      name: 'blog',
      paths: [blogPath, `${blogPath}/*`],
      component: 'pages/blog.tsx',
      document: 'pages/blog-document.tsx',
      indexed: { content: 'blog', illustration: 'malware-protection', schemaType: 'CollectionPage' },
    },
  ],
  files: Object.values(feedPaths),
} as const satisfies SitePart;
