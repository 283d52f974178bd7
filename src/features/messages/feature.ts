import type { Feature } from '../../core/feature.ts';

export const messages: Feature = {
  name: 'messages',
  actions: { inbox: () => import('./actions/actions.ts') },
};
