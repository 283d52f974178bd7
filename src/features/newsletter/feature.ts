import type { Feature } from '../../core/feature.ts';

export const newsletter: Feature = {
  name: 'newsletter',
  actions: { newsletter: () => import('./actions/actions.ts') },
};
