import { expect, test } from 'vitest';
import type { PersonalData } from '../../domain/privacy/search-personal-data.ts';
import type { Services } from '../../server/wire.ts';
import { writeLettersTask } from './follow-up-tasks.ts';

test('names the mail provider that handled mails to the address, and none where mails are files', () => {
  const letters = { newsletter: { destination: 'smtp.example:587' } };
  const wired = (smtp: object | undefined) =>
    ({ config: { mail: { smtp } }, newsletter: { letters } }) as unknown as Services;
  const found = (...states: string[]) =>
    ({ newsletter: { letters: states.map(state => ({ state })) } }) as unknown as PersonalData;
  expect(writeLettersTask(wired({}), found('dropped', 'delivered'))).toMatchObject([
    { where: 'newsletter (smtp.example:587)' },
  ]);
  expect(writeLettersTask(wired({}), found('dropped', 'waiting'))).toEqual([]);
  expect(writeLettersTask(wired(undefined), found('delivered'))).toEqual([]);
});
