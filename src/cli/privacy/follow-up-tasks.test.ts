import { expect, test } from 'vitest';
import type { PersonalData } from '../../domain/privacy/search-personal-data.ts';
import type { Services } from '../../server/wire.ts';
import { buildSubscriberMailTask } from './follow-up-tasks.ts';

test('names the mail provider that handled mails to the address, and none where mails are files', () => {
  const subscriberMail = { newsletter: { destination: 'smtp.example:587' } };
  const services = (smtp: object | undefined) =>
    ({ config: { mail: { smtp } }, newsletter: { subscriberMail } }) as unknown as Services;
  const found = (...states: string[]) =>
    ({ newsletter: { mails: states.map(state => ({ state })) }, deliveries: [] }) as unknown as PersonalData;
  expect(buildSubscriberMailTask(services({}), found('cancelled', 'delivered'))).toMatchObject([
    { where: 'mail to the person (smtp.example:587)' },
  ]);
  const acknowledged = { deliveries: [{ receiver: 'acknowledgements', state: 'delivered' }] };
  expect(buildSubscriberMailTask(services({}), acknowledged as unknown as PersonalData)).toHaveLength(1);
  expect(buildSubscriberMailTask(services({}), found('cancelled', 'waiting'))).toEqual([]);
  expect(buildSubscriberMailTask(services(undefined), found('delivered'))).toEqual([]);
});
