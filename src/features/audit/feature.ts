import type { Feature } from '../../core/feature.ts';

export const audit: Feature = {
  name: 'audit',
  actions: { audit: async () => (await import('./actions/audit-domain.ts')).auditDomain },
};
