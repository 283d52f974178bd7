import { expect, test } from 'vitest';
import { buildSubscriberMailTask } from './follow-up-tasks.ts';
import type { PersonalData } from './search-personal-data.ts';

test('names the mail provider that handled mails to the address, and none where mails are files', () => {
  const server = { mailServer: 'smtp.example:587' };
  const found = (...states: string[]) =>
    ({ newsletter: { mails: states.map(state => ({ state })) }, deliveries: [] }) as unknown as PersonalData;
  expect(buildSubscriberMailTask(server, found('cancelled', 'delivered'))).toMatchObject([
    { where: 'mail to the person (smtp.example:587)' },
  ]);
  const acknowledged = { deliveries: [{ receiver: 'acknowledgements', state: 'delivered' }] };
  expect(buildSubscriberMailTask(server, acknowledged as unknown as PersonalData)).toHaveLength(1);
  expect(buildSubscriberMailTask(server, found('cancelled', 'waiting'))).toEqual([]);
  expect(buildSubscriberMailTask({ mailServer: undefined }, found('delivered'))).toEqual([]);
});
