import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { beforeEach, expect, test } from 'vitest';
import { createSmtpServer, type Fault } from '../../../tests/fakes/smtp-server.ts';
import { disposeAfterAll } from '../../../tests/harness/dispose-after-all.ts';
import { withReason } from '../../../tests/harness/with-reason.ts';
import { createSmtpTransport, type SmtpServer } from './smtp-transport.ts';

const mail = {
  reference: 'ABCDE-FGHJK',
  date: new Date('2026-01-02T03:04:05Z'),
  from: 'website@wardhouse.example',
  to: 'owner@wardhouse.example',
  bytes: Buffer.from('Subject: A mail\r\n\r\nwords of the visitor\r\n'),
};
const login = { user: 'web:site', password: 'p@ss/word' };
const never = new AbortController().signal;
const patient = { connectMs: 5000, greetingMs: 5000, idleMs: 5000 };

const server = await disposeAfterAll(createSmtpServer({ login }));
beforeEach(() => {
  server.mails.length = 0;
  server.commands.length = 0;
});

function connect(settings: Partial<SmtpServer> = {}, timeouts = patient) {
  const { port } = server;
  return createSmtpTransport({ host: '127.0.0.1', port, encryption: 'none', login, ...settings }, timeouts);
}

async function attempt(fault: Fault, timeouts = patient) {
  server.script(fault);
  const outcome = await connect({}, timeouts).transmit(mail, never);
  return { outcome, stored: server.mails.length };
}

test('a mail is sent unchanged, and the session ends with QUIT', async () => {
  expect(await connect({ ownName: 'www.wardhouse.example' }).transmit(mail, never)).toEqual({
    kind: 'delivered',
  });
  expect(server.mails).toMatchObject([
    { from: mail.from, to: [mail.to], raw: mail.bytes.toString().trimEnd() },
  ]);
  await expect.poll(() => server.commands.at(-1)).toBe('QUIT');
  expect(server.commands[0]).toBe('EHLO www.wardhouse.example');
});

const retry = { kind: 'retry', isAmbiguous: false };
const unknown = { ...retry, recipient: 'unknown' };
const misconfigured = { kind: 'misconfigured' };

test.each<[Fault['at'], string, string, object]>([
  ['greeting', '421 4.3.2 busy', '421 4.3.2 to the connection', retry],
  ['login', '454 4.7.0 not now', '454 4.7.0 to the login', retry],
  ['login', '535 5.7.8 no', '535 5.7.8 to the login', misconfigured],
  ['sender', '553 5.1.8 not you', '553 5.1.8 to MAIL FROM', retry],
  ['sender', '530 5.7.0 log in first', '530 5.7.0 to MAIL FROM', misconfigured],
  ['recipient', '450 4.2.1 greylisted', '450 4.2.1 to RCPT TO', retry],
  ['recipient', '550 5.1.8 who are you', '550 5.1.8 to RCPT TO', retry],
  ['recipient', '554 5.7.1 relay denied', '554 5.7.1 to RCPT TO', retry],
  ['recipient', '550 says nothing more', '550 to RCPT TO', retry],
  ['recipient', '550 5.1.1 words of the visitor', '550 5.1.1 to RCPT TO', unknown],
  ['recipient', '550-5.2.1 switched off\r\n550 5.2.1 for good', '550 5.2.1 to RCPT TO', unknown],
  ['recipient', '552 5.2.2 full', '552 5.2.2 to RCPT TO', { ...retry, recipient: 'refused' }],
  ['data', '554 5.7.1 no', '554 5.7.1 to DATA: refused, perhaps by a filter', retry],
  ['end', '452 4.3.1 full', '452 4.3.1 to the mail', retry],
  ['end', '550 5.7.1 <words>', '550 5.7.1 to the mail: refused, perhaps by a filter', retry],
  ['end', '535 5.7.8 <words>', '535 5.7.8 to the mail: refused, perhaps by a filter', retry],
])('at %s, %j is answered %s', async (at, reply, reason, outcome) => {
  const { outcome: actual, stored } = await attempt({ at, kind: 'answer', reply });
  expect(withReason(actual)).toEqual({ ...outcome, reason: `answered ${reason}` });
  expect(stored).toBe(0);
});

test.each<[Fault, string | RegExp, boolean]>([
  [{ at: 'greeting', kind: 'hang' }, 'no greeting in time', false],
  [{ at: 'data', kind: 'hang' }, 'no answer in time', false],
  [{ at: 'end', kind: 'hang' }, 'no answer in time', true],
  [{ at: 'data', kind: 'reset' }, /^connection (reset|closed)$/, false],
  [{ at: 'end', kind: 'reset' }, 'connection reset', true],
])('after %j it may have arrived only if the final dot was sent', async (fault, reason, isAmbiguous) => {
  const { outcome, stored } = await attempt(fault, { connectMs: 5000, greetingMs: 100, idleMs: 300 });
  expect(withReason(outcome)).toEqual({ kind: 'retry', reason: expect.stringMatching(reason), isAmbiguous });
  expect(stored).toBe(isAmbiguous ? 1 : 0);
});

test('an attempt that is aborted before it began sends nothing', async () => {
  const outcome = await connect().transmit(mail, AbortSignal.abort());
  expect(withReason(outcome)).toEqual({
    kind: 'retry',
    reason: 'stopped before it was sent',
    isAmbiguous: false,
  });
  expect(server.commands).toEqual([]);
});

test.each([
  ['aborting it', 'stopped before the mail server had answered'],
  ['closing the receiver', 'connection closed'],
])('a silent server is given up by %s', async (how, reason) => {
  server.script({ at: 'end', kind: 'hang' });
  const stopping = new AbortController();
  const smtp = connect();
  const outcome = smtp.transmit(mail, stopping.signal);
  await expect.poll(() => server.mails.length, { interval: 5 }).toBe(1);
  if (how === 'aborting it') stopping.abort();
  else smtp.close();
  expect(withReason(await outcome)).toEqual({ kind: 'retry', reason, isAmbiguous: true });
});

test.each(['tls', 'starttls'] as const)('%s requires a trusted certificate', async encryption => {
  await using secure = await createSmtpServer({ encryption, login });
  const transmit = () => connect({ port: secure.port, encryption }).transmit(mail, never);
  const reason = 'certificate not accepted (DEPTH_ZERO_SELF_SIGNED_CERT)';
  expect(withReason(await transmit())).toEqual({ kind: 'retry', reason, isAmbiguous: false });
  expect(secure.commands.filter(line => line.startsWith('AUTH'))).toEqual([]);
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, secure.certificate ?? '']);
  expect(await transmit()).toEqual({ kind: 'delivered' });
  setDefaultCACertificates(trusted);
});

test('no mail and no password are sent to a server without STARTTLS', async () => {
  const outcome = await connect({ encryption: 'starttls' }).transmit(mail, never);
  expect(withReason(outcome)).toEqual({
    kind: 'retry',
    reason: 'answered 502 5.5.1 to STARTTLS',
    isAmbiguous: false,
  });
  expect(server.commands.map(line => line.split(' ')[0])).toEqual(['EHLO', 'STARTTLS']);
});

test('where no server listens, nothing was sent', async () => {
  const outcome = await connect({ port: 1 }).transmit(mail, never);
  expect(withReason(outcome)).toEqual({ kind: 'retry', reason: 'connection refused', isAmbiguous: false });
});
