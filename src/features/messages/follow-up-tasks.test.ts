import { expect, test } from 'vitest';
import type { Delivery } from '../../core/outbox/deliveries.ts';
import { listErasureTasks } from './follow-up-tasks.ts';
import { acknowledgements } from './receivers/acknowledgement-mail.ts';

test('an erasure names the mail server that handled an acknowledgement', async () => {
  const messages = { listDeliveries: async () => [] };
  const targets = { destinations: new Map(), local: new Set<string>(), mailServer: 'smtp.example:587' };
  const sent = {
    kind: 'message',
    receiver: acknowledgements.name,
    state: 'delivered',
  } as Delivery;
  const found = { messages: [], mentions: [], deliveries: [sent] };
  expect(await listErasureTasks({ messages }, targets, found)).toMatchObject([
    { where: 'mail to the person (smtp.example:587)' },
  ]);
});
