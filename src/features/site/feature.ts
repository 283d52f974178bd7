import type { Feature } from '../../core/feature.ts';

export const site: Feature = {
  name: 'site',
  checks: async () => (await import('./launch-checks.ts')).contentChecks,
};
