import type { Feature } from '../../core/feature.ts';

export const privacy: Feature = {
  name: 'privacy',
  actions: {
    privacy: async features => {
      const { createActions } = await import('./actions/actions.ts');
      return createActions(features.flatMap(({ personalFields = [] }) => personalFields));
    },
  },
  desk: async () => (await import('./desk/area.ts')).privacyArea,
  checks: async () => (await import('./launch-checks.ts')).privacyChecks,
};
