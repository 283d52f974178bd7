import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, test } from 'vitest';
import {
  createSmtpServer,
  type FakeSmtpServer,
  type Fault,
  type SmtpOptions,
  type Step,
} from '../../../tests/fakes/smtp-server.ts';
import { createSmtpTransport, type SmtpServer } from './smtp-transport.ts';

const mail = {
  reference: 'ABCDE-FGHJK',
  date: new Date('2026-01-02T03:04:05Z'),
  from: 'website@wardhouse.example',
  to: 'owner@wardhouse.example',
  bytes: Buffer.from('Subject: A mail\r\n\r\nwords of the visitor\r\n'),
};
const never = new AbortController().signal;
const patient = { connectMs: 5000, greetingMs: 5000, idleMs: 5000 };
const hasty = { ...patient, idleMs: 300 };

function smtpTo({ port }: { port: number }, settings: Partial<SmtpServer> = {}, timeouts = patient) {
  return createSmtpTransport({ host: '127.0.0.1', port, encryption: 'none', ...settings }, timeouts);
}

async function attempt(fault: Fault, options: SmtpOptions = {}, timeouts = patient) {
  await using server = await createSmtpServer(options);
  server.script(fault);
  const smtp = smtpTo(server, options.login ? { login: options.login } : {}, timeouts);
  const outcome = await smtp.transmit(mail, never);
  smtp.close();
  return { outcome, kept: server.mails.length };
}

const login = { user: 'web:site', password: 'p@ss/word' };
const stepsBefore: Step[] = ['greeting', 'hello', 'login', 'sender', 'recipient', 'data'];

test('a mail is sent unchanged, and the session ends with QUIT', async () => {
  await using server = await createSmtpServer({ login });
  const smtp = smtpTo(server, { login, ownName: 'www.wardhouse.example' });
  expect(smtp.destination).toBe(`127.0.0.1:${server.port}`);
  expect(await smtp.transmit(mail, never)).toEqual({ kind: 'delivered' });
  expect(server.mails.map(({ from, to, raw }) => ({ from, to, raw }))).toEqual([
    { from: mail.from, to: [mail.to], raw: mail.bytes.toString().trimEnd() },
  ]);
  await expect.poll(() => server.commands.at(-1)).toBe('QUIT');
  expect(server.commands[0]).toBe('EHLO www.wardhouse.example');
});

test('two concurrent mails use a connection each', async () => {
  await using server = await createSmtpServer();
  const smtp = smtpTo(server);
  const outcomes = await Promise.all([smtp.transmit(mail, never), smtp.transmit(mail, never)]);
  expect(outcomes).toEqual([{ kind: 'delivered' }, { kind: 'delivered' }]);
  expect(server.mails.length).toBe(2);
});

describe.each([true, false])('with pipelining %s', isPipelining => {
  test.each<[Step, string, string]>([
    ['greeting', '421 4.3.2 busy', 'answered 421 4.3.2 to the connection'],
    ['greeting', '554 go away', 'answered 554 to the connection'],
    ['hello', '421 4.3.2 busy', 'answered 421 4.3.2 to EHLO'],
    ['login', '421 4.3.2 busy', 'answered 421 4.3.2 to the login'],
    ['login', '451 4.3.0 later', 'answered 451 4.3.0 to the login'],
    ['login', '454 4.7.0 not now', 'answered 454 4.7.0 to the login'],
    ['sender', '451 4.3.0 later', 'answered 451 4.3.0 to MAIL FROM'],
    ['sender', '553 5.1.8 not you', 'answered 553 5.1.8 to MAIL FROM'],
    ['recipient', '450 4.2.1 greylisted', 'answered 450 4.2.1 to RCPT TO'],
    ['recipient', '550 5.1.8 who are you', 'answered 550 5.1.8 to RCPT TO'],
    ['recipient', '554 5.7.1 relay denied', 'answered 554 5.7.1 to RCPT TO'],
    ['recipient', '550 says nothing more', 'answered 550 to RCPT TO'],
    ['data', '451 4.3.0 later', 'answered 451 4.3.0 to DATA'],
    ['end', '452 4.3.1 full', 'answered 452 4.3.1 to the mail'],
    ['end', '421 4.3.2 busy', 'answered 421 4.3.2 to the mail'],
  ])('an answer at %s, %s: not taken, and nothing is unclear', async (at, reply, why) => {
    const fault: Fault = { at, kind: 'answer', reply };
    const { outcome, kept } = await attempt(fault, { isPipelining, login });
    expect({ outcome, kept }).toEqual({ outcome: { kind: 'retry', why, isAmbiguous: false }, kept: 0 });
  });

  test.each([
    ['550 5.1.1 words of the visitor', 'answered 550 5.1.1 to RCPT TO', 'unknown'],
    ['556 5.1.10 no mail here', 'answered 556 5.1.10 to RCPT TO', 'unknown'],
    ['550-5.2.1 switched off', 'answered 550 5.2.1 to RCPT TO', 'unknown'],
    ['552 5.2.2 full', 'answered 552 5.2.2 to RCPT TO', 'rejected'],
  ])('a recipient refused for good, %s, is told apart', async (reply, why, recipient) => {
    const whole = reply.includes('-') ? `${reply}\r\n550 5.2.1 for good` : reply;
    const fault: Fault = { at: 'recipient', kind: 'answer', reply: whole };
    const { outcome, kept } = await attempt(fault, { isPipelining });
    const expected = { kind: 'retry', why, isAmbiguous: false, recipient };
    expect({ outcome, kept }).toEqual({ outcome: expected, kept: 0 });
  });

  test.each<[Step, string, string]>([
    ['data', '554 5.7.1 no', 'answered 554 5.7.1 to DATA'],
    ['data', '530 5.7.0 no', 'answered 530 5.7.0 to DATA'],
    ['end', '550 5.7.1 <words of the visitor>', 'answered 550 5.7.1 to the mail'],
    ['end', '552 <words of the visitor>', 'answered 552 to the mail'],
    ['end', '535 5.7.8 <words of the visitor>', 'answered 535 5.7.8 to the mail'],
  ])('what a filter says at %s, %s, is about the one mail, whatever its code', async (at, reply, why) => {
    const { outcome, kept } = await attempt({ at, kind: 'answer', reply }, { isPipelining, login });
    const refusal = { kind: 'retry', why: `${why}: refused, perhaps by a filter`, isAmbiguous: false };
    expect({ outcome, kept }).toEqual({ outcome: { ...refusal, isRefused: true }, kept: 0 });
  });

  test.each<[Step, string]>([
    ['login', '535 5.7.8 no'],
    ['login', '534 5.7.9 too weak'],
    ['login', '538 5.7.11 encrypt'],
    ['login', '504 5.5.4 not this way'],
    ['sender', '530 5.7.0 log in first'],
  ])('a credential refused at %s, %s, pauses', async (at, reply) => {
    const { outcome } = await attempt({ at, kind: 'answer', reply }, { isPipelining, login });
    const step = at === 'login' ? 'the login' : 'MAIL FROM';
    expect(outcome).toEqual({
      kind: 'misconfigured',
      why: `answered ${reply.slice(0, reply.indexOf(' ', 5))} to ${step}`,
    });
  });
});

test('a wrong password is refused, and is not in the error', async () => {
  await using server = await createSmtpServer({ login });
  const outcome = await smtpTo(server, { login: { user: 'u', password: 'guessed' } }).transmit(mail, never);
  expect(outcome).toEqual({ kind: 'misconfigured', why: 'answered 535 5.7.8 to the login' });
});

test.each(stepsBefore)('silence at %s ends in time, and nothing was sent', async at => {
  const isGreeting = at === 'greeting';
  const timeouts = isGreeting ? { ...patient, greetingMs: 100 } : hasty;
  const { outcome } = await attempt({ at, kind: 'hang' }, { login }, timeouts);
  const why = isGreeting ? 'no greeting in time' : 'no answer in time';
  expect(outcome).toEqual({ kind: 'retry', why, isAmbiguous: false });
});

test.each(stepsBefore)('a connection lost at %s: nothing was sent', async at => {
  const { outcome } = await attempt({ at, kind: 'reset' }, { login });
  expect(outcome).toMatchObject({ kind: 'retry', isAmbiguous: false });
  expect(outcome).toMatchObject({ why: expect.stringMatching(/^connection (reset|closed)$/) });
});

test.each<[Fault, string, number]>([
  [{ at: 'end', kind: 'hang' }, 'no answer in time', 1],
  [{ at: 'end', kind: 'reset' }, 'connection reset', 1],
  [{ at: 'text', kind: 'reset' }, 'connection reset', 0],
  [{ at: 'text', kind: 'hang' }, 'no answer in time', 0],
])('after the final dot, %j: it may have arrived', async (fault, why, expected) => {
  // Long enough for all that comes before, on a busy machine too.
  const { outcome, kept } = await attempt(fault, {}, { ...patient, idleMs: 1500 });
  expect({ outcome, kept }).toEqual({ outcome: { kind: 'retry', why, isAmbiguous: true }, kept: expected });
});

describe('an attempt that is aborted', () => {
  test('before it began sends nothing', async () => {
    await using server = await createSmtpServer();
    const outcome = await smtpTo(server).transmit(mail, AbortSignal.abort());
    expect(outcome).toEqual({ kind: 'retry', why: 'stopped before it was sent', isAmbiguous: false });
    expect(server.commands).toEqual([]);
  });

  test.each<[Fault, (server: FakeSmtpServer) => boolean, boolean]>([
    [{ at: 'hello', kind: 'hang' }, ({ commands }) => commands.length === 1, false],
    [{ at: 'recipient', kind: 'drip', everyMs: 1000 }, ({ commands }) => commands.length >= 3, false],
    [{ at: 'end', kind: 'drip', everyMs: 1000 }, ({ mails }) => mails.length === 1, true],
    [{ at: 'end', kind: 'hang' }, ({ mails }) => mails.length === 1, true],
  ])('during %j is given up', async (fault, isReached, isAmbiguous) => {
    await using server = await createSmtpServer();
    server.script(fault);
    const stopping = new AbortController();
    const outcome = smtpTo(server).transmit(mail, stopping.signal);
    await expect.poll(() => isReached(server), { interval: 5 }).toBe(true);
    stopping.abort();
    const why = 'stopped before the mail server had answered';
    expect(await outcome).toEqual({ kind: 'retry', why, isAmbiguous });
  });

  test('by closing the receiver leaves no connection', async () => {
    await using server = await createSmtpServer();
    server.script({ at: 'end', kind: 'hang' });
    const smtp = smtpTo(server);
    const outcome = smtp.transmit(mail, never);
    await expect.poll(() => server.mails.length).toBe(1);
    smtp.close();
    expect(await outcome).toEqual({ kind: 'retry', why: 'connection closed', isAmbiguous: true });
  });
});

test('a slow response is awaited, longer than an idle timeout', async () => {
  const idleMs = 1500;
  const started = performance.now();
  const { outcome } = await attempt({ at: 'end', kind: 'drip', everyMs: 150 }, {}, { ...patient, idleMs });
  expect(performance.now() - started).toBeGreaterThan(idleMs);
  expect(outcome).toEqual({ kind: 'delivered' });
});

test('connection refused, and unknown host: nothing was sent', async () => {
  const server = await createSmtpServer();
  await server[Symbol.asyncDispose]();
  const refused = { kind: 'retry', why: 'connection refused', isAmbiguous: false };
  expect(await smtpTo(server).transmit(mail, never)).toEqual(refused);
  const nowhere = await smtpTo(server, { host: 'mail.invalid' }).transmit(mail, never);
  expect(nowhere).toMatchObject({ kind: 'retry', isAmbiguous: false });
});

describe('encryption', () => {
  test.each(['tls', 'starttls'] as const)(
    '%s: an untrusted certificate is not accepted',
    async encryption => {
      await using server = await createSmtpServer({ encryption, login });
      const outcome = await smtpTo(server, { encryption, login }).transmit(mail, never);
      const why = 'certificate not accepted (DEPTH_ZERO_SELF_SIGNED_CERT)';
      expect(outcome).toEqual({ kind: 'retry', why, isAmbiguous: false });
      expect(server.commands.filter(line => line.startsWith('AUTH'))).toEqual([]);
    },
  );

  test.each(['tls', 'starttls'] as const)(
    '%s: with a trusted certificate the mail is sent',
    async encryption => {
      await using server = await createSmtpServer({ encryption, login });
      using _ = trusting(server);
      const outcome = await smtpTo(server, { encryption, login }).transmit(mail, never);
      expect(outcome).toEqual({ kind: 'delivered' });
      expect(server.mails.length).toBe(1);
    },
  );

  test('no mail and no password are sent to a server without encryption', async () => {
    await using server = await createSmtpServer({ login });
    const outcome = await smtpTo(server, { encryption: 'starttls', login }).transmit(mail, never);
    expect(outcome).toEqual({ kind: 'retry', why: 'answered 502 5.5.1 to STARTTLS', isAmbiguous: false });
    expect(server.commands.map(line => line.split(' ')[0])).toEqual(['EHLO', 'STARTTLS']);
  });

  test('a server that does not speak TLS has its own error', async () => {
    await using server = await createSmtpServer();
    const outcome = await smtpTo(server, { encryption: 'tls' }).transmit(mail, never);
    expect(outcome).toMatchObject({ kind: 'retry', isAmbiguous: false });
    expect(outcome).toMatchObject({ why: expect.stringMatching(/^TLS handshake failed/) });
  });
});

function trusting({ certificate }: FakeSmtpServer): Disposable {
  const usual = getCACertificates('default');
  setDefaultCACertificates([...usual, certificate ?? '']);
  return { [Symbol.dispose]: () => setDefaultCACertificates(usual) };
}
