import type { DeskArea } from '../../../core/desk/desk-area.ts';
import type { MessageDeskNeeds } from './needs.ts';
import { listMessageTasks, type OverviewNeeds, readNewMessages } from './overview.ts';
import { addMessageRoutes } from './routes.ts';

export const messageArea: DeskArea<MessageDeskNeeds & OverviewNeeds> = {
  link: { area: 'messages', text: 'Messages' },
  addRoutes: addMessageRoutes,
  readWaiting: ({ services }) => readNewMessages(services),
  listTasks: ({ services }, isFailing) => listMessageTasks(services, isFailing),
};
