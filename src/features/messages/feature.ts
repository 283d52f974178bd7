import type { Feature, StartedFeature } from '../../core/feature.ts';
import type { ContactDeps } from './api/contact.ts';
import { endpoints } from './api/endpoints.ts';
import { receiverTypes } from './receivers/receiver-types.ts';

export type StartedMessages = StartedFeature & ContactDeps;

export const messages: Feature<StartedMessages> = {
  name: 'messages',
  actions: { inbox: () => import('./actions/actions.ts') },
  endpoints,
  receivers: Object.values(receiverTypes),
  desk: async () => (await import('./desk/area.ts')).messageArea,
};
