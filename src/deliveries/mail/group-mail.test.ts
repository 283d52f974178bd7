import { expect, test } from 'vitest';
import { createSmtpServer } from '../../../tests/fakes/smtp-server.ts';
import type { MessageGroup } from '../delivery.ts';
import { createGroupMail } from './group-mail.ts';
import { createMailReceiver } from './mail-receiver.ts';

const message: MessageGroup['messages'][number] = {
  kind: 'message',
  reference: 'ABCDE-FGHJK',
  receivedAt: '2026-01-02T03:04:05.678Z',
  name: 'Zoë Müller',
  email: 'zoe@example.com',
  message: 'Good morning,\r\nplease call.\n',
  service: '',
  isShortened: false,
  isPossibleDuplicate: false,
};
const group: MessageGroup = {
  reference: 'GROUP-00001',
  at: '2026-01-02T03:14:05.678Z',
  messages: [message, { ...message, reference: 'LMNPQ-RSTUV', receivedAt: '2026-01-02T03:03:05.678Z' }],
  waiting: 0,
  hasTexts: true,
};
const write = (about: Partial<MessageGroup>) => createGroupMail({ ...group, ...about }, 'owner@example.com');

test('lists each message with reference, sender and text, and has no Reply-To', async () => {
  await using server = await createSmtpServer();
  const mail = createMailReceiver(
    {
      smtp: { host: '127.0.0.1', port: server.port, encryption: 'none' },
      from: 'website@example.com',
      to: 'owner@example.com',
      perSecond: 5,
    },
    { dataDir: '/nowhere' },
  );
  expect(await mail.deliverGroup?.(group, AbortSignal.timeout(10_000))).toEqual({ kind: 'delivered' });
  mail.close();
  const [got] = server.mails;
  expect(got?.header('Subject')).toBe('Website: 2 messages');
  expect(got?.header('Message-ID')).toBe('<GROUP-00001@example.com>');
  expect([got?.header('Reply-To'), got?.header('X-Possibly-Twice')]).toEqual([undefined, undefined]);
  expect(got?.text).toContain(
    [
      'ABCDE-FGHJK  2026-01-02 03:04:05 UTC',
      'Name:      Zoë Müller',
      'E-mail:    zoe@example.com',
      'Service:   (not given)',
      '| Good morning,',
      '| please call.',
      '',
      'LMNPQ-RSTUV  2026-01-02 03:03:05 UTC',
    ].join('\n'),
  );
});

test('is not made where mails are files', () => {
  const settings = { smtp: undefined, from: 'a@example.com', to: 'b@example.com', perSecond: 5 };
  expect(createMailReceiver(settings, { dataDir: '/nowhere' }).deliverGroup).toBeUndefined();
});

test('marks only possible duplicates', () => {
  const [first, second] = group.messages as [typeof message, typeof message];
  const { text, headers } = write({ messages: [{ ...first, isPossibleDuplicate: true }, second] });
  expect(text).toContain('03:04:05 UTC  (possibly twice)\n');
  expect(text).toContain('03:03:05 UTC\n');
  expect(headers).toEqual({ 'X-Possibly-Twice': 'yes' });
});

test('counts what waits for the next mail, with the command that lists it', () => {
  expect(write({ waiting: 1234 }).text).toContain(
    '1234 more wait for the next mail. To see them all now: npm run inbox -- list --since 2026-01-02T03:03Z',
  );
});

test('says which messages are shortened, and how to read them', () => {
  const [first, second] = group.messages as [typeof message, typeof message];
  const { text } = write({ messages: [first, { ...second, isShortened: true }] });
  expect(text.match(/^\(shortened: .*\)$/gm)).toEqual([
    `(shortened: npm run inbox -- show ${second.reference})`,
  ]);
});

test('lets no visitor input imitate a line of the mail', () => {
  const hostile = {
    ...message,
    name: 'Eve\nFAKED-FAKED',
    message: 'a\u2028FAKED-FAKED\r\n\r\nFAKED-FAKED\u202e',
  };
  const { text, subject } = write({ messages: [hostile, hostile] });
  expect(text.split('\n').filter(line => line.startsWith('FAKED'))).toEqual([]);
  expect(text).toContain('| FAKED-FAKED[U+202E]');
  expect(subject).toBe('Website: 2 messages');
});

test('contains no visitor text after the mail server rejected it', () => {
  const { text } = write({ hasTexts: false });
  for (const words of ['Zoë', 'zoe@example.com', 'morning']) expect(text).not.toContain(words);
  for (const { reference } of group.messages) expect(text).toContain(reference);
  expect(text).toContain('npm run inbox -- list --since 2026-01-02T03:03Z');
});
