import type { ViewsOf } from '../../ui/desk/views.ts';
import { DeletedMessages, DeleteMessages } from './desk/delete.tsx';
import { MessageList } from './desk/list.tsx';
import { Message } from './desk/message.tsx';
import type { MessagePages } from './desk/props.ts';
import { Release } from './desk/release.tsx';

export const messageViews: ViewsOf<MessagePages> = {
  'messages/list': MessageList,
  'messages/message': Message,
  'messages/delete': DeleteMessages,
  'messages/deleted': DeletedMessages,
  'messages/release': Release,
};
