import { expect, test } from 'vitest';
import { listMailTasks } from './personal-data.ts';

test('names the mail provider that handled mails to the address, and none where mails are files', () => {
  const mails = (...states: string[]) => states.map(state => ({ state }));
  expect(listMailTasks('smtp.example:587', mails('cancelled', 'delivered'))).toMatchObject([
    { where: 'mail to the person (smtp.example:587)' },
  ]);
  expect(listMailTasks('smtp.example:587', mails('cancelled', 'waiting'))).toEqual([]);
  expect(listMailTasks(undefined, mails('delivered'))).toEqual([]);
});
