import { Readable } from 'node:stream';
import SMTPConnection, { type SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import { type Outcome, retryLater } from '../outbox/delivery.ts';
import type { ComposedMail, MailTransport } from './compose-mail.ts';
import { classifySmtpError, explainSmtpFailure, type SmtpFailure } from './smtp-error.ts';

export type SmtpServer = {
  host: string;
  port: number;
  encryption: 'tls' | 'starttls' | 'none';
  login?: { user: string; password: string };
  ownName?: string;
};

const defaultTimeouts = { connectMs: 10_000, greetingMs: 10_000, idleMs: 15_000 };

/** One connection per mail. nodemailer's transport cannot be aborted and does not report how far it came. */
export function createSmtpTransport(server: SmtpServer, timeouts = defaultTimeouts): MailTransport {
  const options = connectionOptions(server, timeouts);
  const connections = new Set<SMTPConnection>();

  function transmit(mail: ComposedMail, signal: AbortSignal): Promise<Outcome> {
    if (signal.aborted) return Promise.resolve(retryLater({ code: 'stopped-before' }, false));
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const connection = new SMTPConnection(options);
    const body = Readable.from([mail.bytes]);
    // The stream ends just before the final dot is written: from then on the mail may have arrived.
    let mayHaveArrived = false;
    body.once('end', () => {
      mayHaveArrived = true;
    });

    const finish = (outcome: Outcome) => {
      resolve(outcome);
      connection.close();
    };
    const fail = (error: Error) => finish(classifySmtpError(error, mayHaveArrived));
    const stop = () => finish(retryLater({ code: 'stopped-mailing' }, mayHaveArrived));
    const send = () => {
      const { from, to, bytes } = mail;
      connection.send({ from, to: [to], size: bytes.length }, body, error => {
        if (error) return fail(error);
        resolve({ kind: 'delivered' });
        return connection.quit();
      });
    };

    connections.add(connection);
    signal.addEventListener('abort', stop);
    connection.on('error', fail);
    connection.once('end', () => {
      connections.delete(connection);
      signal.removeEventListener('abort', stop);
      resolve(retryLater({ code: 'connection-closed' }, mayHaveArrived));
    });
    connectAndLogIn(connection, server, error => (error ? fail(error) : send()));
    return promise;
  }

  return {
    destination: `${server.host.includes(':') ? `[${server.host}]` : server.host}:${server.port}`,
    isIdempotent: false,
    transmit,
    close() {
      for (const connection of connections) connection.close();
    },
  };
}

/** Greeting, encryption and login, as for a mail; nothing is sent. */
export function verifySmtpServer(
  server: SmtpServer,
  timeouts = defaultTimeouts,
): Promise<SmtpFailure | undefined> {
  const { promise, resolve } = Promise.withResolvers<SmtpFailure | undefined>();
  const connection = new SMTPConnection(connectionOptions(server, timeouts));
  const finish = (error: Error | null | undefined) => {
    resolve(error ? explainSmtpFailure(error) : undefined);
    connection.close();
  };
  connection.on('error', finish);
  connection.once('end', () => resolve({ about: 'connection', failure: { code: 'connection-closed' } }));
  connectAndLogIn(connection, server, finish);
  return promise;
}

function connectionOptions(server: SmtpServer, timeouts: typeof defaultTimeouts): SMTPConnectionOptions {
  return {
    host: server.host,
    port: server.port,
    secure: server.encryption === 'tls',
    requireTLS: server.encryption === 'starttls',
    ignoreTLS: server.encryption === 'none',
    name: server.ownName,
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.idleMs,
  };
}

function connectAndLogIn(
  connection: SMTPConnection,
  { login }: SmtpServer,
  done: (error?: Error | null) => void,
): void {
  connection.connect(error => {
    if (error || !login || !connection.allowsAuth) return done(error);
    const { user, password } = login;
    return connection.login({ credentials: { user, pass: password } }, done);
  });
}
