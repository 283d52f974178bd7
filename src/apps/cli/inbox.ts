import { messageActions } from '../../features/messages/actions/actions.ts';
import { runActions } from './run-actions.ts';

await runActions('inbox', {
  about: 'Lists and manages messages and their deliveries. Times are in UTC.',
  example: 'list --since 7d',
  actions: messageActions,
});
