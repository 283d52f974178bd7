import type { Feature, StartedFeature } from '../../core/feature.ts';
import { type EndpointDeps, endpoints } from './api/endpoints.ts';
import { receiverTypes } from './receiver-types.ts';

export type StartedNewsletter = StartedFeature & EndpointDeps;

export const newsletter: Feature<StartedNewsletter> = {
  name: 'newsletter',
  actions: { newsletter: () => import('./actions/actions.ts') },
  endpoints,
  receivers: Object.values(receiverTypes),
  desk: async () => (await import('./desk/area.ts')).newsletterArea,
};
