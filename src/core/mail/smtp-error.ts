import { type ConnectError, explainConnectError } from '../outbox/connection-errors.ts';
import { type Outcome, retryLater } from '../outbox/delivery.ts';
import type { Failure } from '../outbox/failures.ts';

type SmtpError = Error & {
  code?: string;
  originalCode?: string;
  timeoutType?: string;
  command?: string;
  response?: string;
  responseCode?: number;
};

/** Only codes: a server's reply may repeat what the visitor wrote. */
export function classifySmtpError(error: SmtpError, mayHaveArrived: boolean): Outcome {
  const { code, responseCode } = error;
  if (responseCode && responseCode >= 400) {
    const enhanced = enhancedCode(error);
    const answer = { status: responseCode, ...(enhanced && { enhanced }), step: findStep(error) };
    if (error.command === 'DATA' && responseCode >= 500)
      return retryLater({ code: 'mail-filtered', ...answer }, false);
    const failure: Failure = { code: 'mail-answered', ...answer };
    if (isAboutLogin(error)) return { kind: 'misconfigured', failure };
    const recipient = classifyRecipientError(error);
    return { kind: 'retry', failure, isAmbiguous: false, ...(recipient && { recipient }) };
  }
  if (code === 'EAUTH') return { kind: 'misconfigured', failure: { code: 'no-login-method' } };
  return retryLater(explainDisconnect(error).failure, mayHaveArrived);
}

/** RFC 4954: 530, 534, 535 and 538 mean a failed login anywhere before DATA; a 4xx reply to AUTH is temporary. */
function isAboutLogin({ code, responseCode = 0 }: SmtpError): boolean {
  if ([530, 534, 535, 538].includes(responseCode)) return true;
  return code === 'EAUTH' && responseCode >= 500;
}

const unknownMailboxCodes = ['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1'];

/** Only a permanent error of this one address counts: 5.1.7 and 5.1.8 are about the sender, 5.7.1 or none may be our fault. */
function classifyRecipientError(error: SmtpError): 'refused' | 'unknown' | undefined {
  if (error.command !== 'RCPT TO' || (error.responseCode ?? 0) < 500) return undefined;
  const enhanced = enhancedCode(error) ?? '';
  if (unknownMailboxCodes.includes(enhanced)) return 'unknown';
  return /^5\.(1\.(?![78]$)|2\.)/.test(enhanced) ? 'refused' : undefined;
}

function enhancedCode({ response = '' }: SmtpError): string | undefined {
  return /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
}

function findStep({ code, command = '' }: SmtpError): string {
  if (code === 'EMESSAGE') return 'mail';
  if (command.startsWith('AUTH')) return 'login';
  return /^(EHLO|HELO|STARTTLS|MAIL FROM|RCPT TO|DATA)$/.test(command) ? command : 'connection';
}

const timeouts = new Map<string, ConnectError>([
  ['CONNECT_TIMEOUT', { about: 'connection', failure: { code: 'connection-timeout' } }],
  ['GREETING_TIMEOUT', { about: 'connection', failure: { code: 'no-greeting' } }],
  ['UPGRADE_TIMEOUT', { about: 'encryption', failure: { code: 'tls-timeout' } }],
  ['SOCKET_TIMEOUT', { about: 'connection', failure: { code: 'no-answer' } }],
]);

const disconnections = new Map<string, Failure>([
  ['ECONNRESET', { code: 'connection-reset' }],
  ['EPIPE', { code: 'connection-reset' }],
  ['ECONNECTION', { code: 'connection-closed' }],
  ['EMESSAGE', { code: 'mail-too-large' }],
]);
const failedHandshake = /^(ERR_SSL_|EPROTO$)/;

function explainDisconnect({ code = '', originalCode, timeoutType = '' }: SmtpError): ConnectError {
  const timeout = timeouts.get(timeoutType);
  if (timeout) return timeout;
  if (code === 'EDNS') return { about: 'host', failure: { code: 'host-not-found' } };
  const cause = originalCode || code;
  if (failedHandshake.test(cause)) return { about: 'encryption', failure: { code: 'tls-failed', cause } };
  const failure = disconnections.get(cause) ?? { code: 'mail-server-failed', cause: cause || 'unknown' };
  return explainConnectError(cause) ?? { about: 'connection', failure };
}

export type SmtpFailure = { about: ConnectError['about'] | 'login'; failure: Failure };

/** Of a connection on which nothing is sent. */
export function explainSmtpFailure(error: SmtpError): SmtpFailure {
  const outcome = classifySmtpError(error, false);
  const disconnect = explainDisconnect(error);
  const failure = 'failure' in outcome ? outcome.failure : disconnect.failure;
  const isLogin = outcome.kind === 'misconfigured' || error.command?.startsWith('AUTH');
  const about = isLogin ? 'login' : error.responseCode ? 'connection' : disconnect.about;
  return { about, failure };
}
