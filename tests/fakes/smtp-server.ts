import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket, type TLSSocketOptions } from 'node:tls';
import PostalMime from 'postal-mime';
import { makeCertificate } from './certificate.ts';

export type ReceivedMail = {
  /** From the SMTP envelope, not from the mail's headers. */
  from: string;
  to: string[];
  raw: string;
  headers: [name: string, value: string][];
  header(name: string): string | undefined;
  /** Decoded. */
  subject: string | undefined;
  text: string;
  html: string | undefined;
};

/** Where in a conversation: `text` is before the final dot, `end` after it, when the mail is already kept. */
type Step = 'greeting' | 'login' | 'sender' | 'recipient' | 'data' | 'text' | 'end';

/** What goes wrong in one conversation. A refusal at the end keeps nothing; whatever else happens there, the mail is kept. */
export type Fault = { at: Step } & ({ kind: 'answer'; reply: string } | { kind: 'hang' } | { kind: 'reset' });

type SmtpOptions = {
  encryption?: 'tls' | 'starttls' | 'none';
  login?: { user: string; password: string };
  /** Instead of a self-signed certificate for localhost. */
  tls?: TLSSocketOptions;
  onMail?(mail: ReceivedMail): void;
};

export type FakeSmtpServer = AsyncDisposable & {
  url: string;
  port: number;
  mails: ReceivedMail[];
  /** The commands of every conversation so far, without the mails themselves. */
  commands: string[];
  /** The certificate, for a client that is to trust it. */
  certificate: string | undefined;
  /** For the connections to come, in order; after them everything works again. */
  script(...faults: (Fault | 'work')[]): void;
};

/** A real SMTP server on this machine that stores mails and can be scripted to fail. */
export async function createSmtpServer(options: SmtpOptions = {}): Promise<FakeSmtpServer> {
  const { encryption = 'none', login } = options;
  const pair = encryption === 'none' ? undefined : makeCertificate();
  const mails: ReceivedMail[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  let queue: (Fault | 'work')[] = [];

  function accept(socket: Socket): void {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const fault = queue.shift();
    const keep = (mail: ReceivedMail) => {
      mails.push(mail);
      options.onMail?.(mail);
    };
    converse(socket, { options, pair, fault: fault === 'work' ? undefined : fault, commands, keep })
      .catch(() => undefined)
      .finally(() => socket.destroy());
  }

  const server =
    pair && encryption === 'tls'
      ? createTlsServer({ ...pair, noDelay: true }, accept)
      : createServer({ noDelay: true }, accept);
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const user = login ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@` : '';

  return {
    url: `smtp${encryption === 'tls' ? 's' : ''}://${user}127.0.0.1:${port}`,
    port,
    mails,
    commands,
    certificate: pair?.cert,
    script(...faults) {
      queue = faults;
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise(resolve => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

type Conversation = {
  options: SmtpOptions;
  pair: { key: string; cert: string } | undefined;
  fault: Fault | undefined;
  commands: string[];
  keep(mail: ReceivedMail): void;
};

async function converse(
  plain: Socket,
  { options, pair, fault, commands, keep }: Conversation,
): Promise<void> {
  let socket = plain;
  let nextLine = readLines(socket);
  let isSecure = options.encryption === 'tls';
  let from: string | undefined;
  let to: string[] = [];

  /** Says its line, or does what the script wants instead. True: the client may go on. */
  async function say(step: Step | undefined, usual: string): Promise<boolean> {
    const wrong = fault?.at === step ? fault : undefined;
    if (wrong?.kind === 'hang' || wrong?.kind === 'reset') {
      if (wrong.kind === 'reset') plain.resetAndDestroy();
      else await once(socket, 'close');
      throw new Error('the conversation is over');
    }
    const line = wrong?.reply ?? usual;
    if (!socket.destroyed) socket.write(`${line}\r\n`);
    return /^[23]/.test(line);
  }

  async function receive(): Promise<void> {
    const lines: string[] = [];
    for (let line = await nextLine(); line !== '.'; line = await nextLine()) {
      if (fault?.at === 'text') await say('text', '');
      lines.push(line.startsWith('.') ? line.slice(1) : line);
    }
    const mail = await readMail(from ?? '', to, Buffer.from(lines.join('\r\n'), 'latin1'));
    if (!(fault?.at === 'end' && fault.kind === 'answer')) keep(mail);
    await say('end', '250 2.0.0 kept');
  }

  const verbs: Record<string, (argument: string) => Promise<unknown>> = {
    async EHLO() {
      const offers = ['localhost', 'SIZE 1000000', '8BITMIME', 'PIPELINING'];
      if (options.encryption === 'starttls' && !isSecure) offers.push('STARTTLS');
      else if (options.login) offers.push('AUTH PLAIN');
      const last = offers.pop();
      await say(undefined, [...offers.map(offer => `250-${offer}`), `250 ${last}`].join('\r\n'));
    },
    async STARTTLS() {
      if (!pair || options.encryption !== 'starttls') return say(undefined, '502 5.5.1 not here');
      await say(undefined, '220 2.0.0 go ahead');
      nextLine.stop();
      socket = new TLSSocket(plain, { isServer: true, ...pair, ...options.tls });
      nextLine = readLines(socket);
      isSecure = true;
      return true;
    },
    AUTH(argument) {
      const given = Buffer.from(argument.replace(/^PLAIN /i, ''), 'base64').toString('utf8');
      const { user, password } = options.login ?? {};
      return say(
        'login',
        given === `\0${user}\0${password}` ? '235 2.7.0 welcome' : '535 5.7.8 not accepted',
      );
    },
    async MAIL(argument) {
      to = [];
      from = (await say('sender', '250 2.1.0 ok')) ? pathOf(argument) : undefined;
    },
    async RCPT(argument) {
      if (from === undefined) return say(undefined, '503 5.5.1 no sender');
      if (await say('recipient', '250 2.1.5 ok')) to.push(pathOf(argument));
      return true;
    },
    async DATA() {
      if (to.length === 0) return say(undefined, '503 5.5.1 no recipient');
      if (await say('data', '354 go ahead')) await receive();
      return true;
    },
    async QUIT() {
      await say(undefined, '221 2.0.0 bye');
      socket.end();
    },
  };

  if (!(await say('greeting', '220 localhost ESMTP'))) return;
  for (;;) {
    const line = await nextLine();
    commands.push(line);
    const verb = verbs[line.split(' ')[0]?.toUpperCase() ?? ''];
    await (verb ? verb(line.slice(5)) : say(undefined, '502 5.5.1 not known'));
  }
}

/** One line after the other, as bytes; rejects when the connection has ended. */
function readLines(socket: Socket): (() => Promise<string>) & { stop(): void } {
  let text = '';
  let wake: () => void = () => undefined;
  const onData = (chunk: Buffer) => {
    text += chunk.toString('latin1');
    wake();
  };
  socket.on('data', onData);
  socket.on('error', () => undefined);
  socket.once('close', () => wake());

  async function next(): Promise<string> {
    for (;;) {
      const end = text.indexOf('\r\n');
      if (end >= 0) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        return line;
      }
      if (socket.destroyed || socket.readableEnded) throw new Error('the connection has ended');
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      await promise;
    }
  }
  return Object.assign(next, { stop: () => void socket.off('data', onData) });
}

function pathOf(argument: string): string {
  return /<(.*)>/.exec(argument)?.[1] ?? '';
}

async function readMail(from: string, to: string[], bytes: Buffer): Promise<ReceivedMail> {
  const mail = await PostalMime.parse(bytes);
  const headers = mail.headers.map(({ originalKey, value }): [string, string] => [originalKey, value]);
  return {
    ...{ from, to, raw: bytes.toString('utf8'), headers, subject: mail.subject, html: mail.html },
    header: name => headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1],
    text: (mail.text ?? '').replaceAll('\r\n', '\n'),
  };
}
