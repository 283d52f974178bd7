import type { ContentFile, ContentPart } from '../../core/content/content-part.ts';
import { policy } from '../../core/content/schemas/policy.ts';
import { audit, auditPlaceholders } from './schemas/audit.ts';

const inPages = { group: 'pages', pages: [[]] } satisfies Partial<ContentFile>;

export const auditContent = {
  name: 'audit',
  switchHint:
    'The check of a domain in ten seconds, and the page about it. Without it, nobody can start one.',
  files: {
    audit: {
      ...inPages,
      path: 'audit.yaml',
      schema: audit,
      placeholders: auditPlaceholders,
      title: 'Free audit',
      preview: '/audit',
    },
    'audit-about': {
      ...inPages,
      path: 'audit-about.md',
      schema: policy,
      title: 'About our audit',
      preview: '/audit/about',
    },
  },
} satisfies ContentPart;
