import type { Feature } from '../../core/feature.ts';

export const privacy: Feature = {
  name: 'privacy',
  actions: { privacy: () => import('./actions/actions.ts') },
  desk: async () => (await import('./desk/area.ts')).privacyArea,
  checks: async () => (await import('./launch-checks.ts')).privacyChecks,
};
