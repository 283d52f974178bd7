import { type ConnectError, describeConnectError } from '../outbox/connection-errors.ts';
import { type Outcome, retryLater } from '../outbox/delivery.ts';

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
    const reason = `answered ${replyCode(error)} to ${describeStep(error)}`;
    if (error.command === 'DATA' && responseCode >= 500)
      return retryLater(`${reason}: refused, perhaps by a filter`, false);
    if (isAboutLogin(error)) return { kind: 'misconfigured', reason };
    const recipient = classifyRecipientError(error);
    return { kind: 'retry', reason, isAmbiguous: false, ...(recipient && { recipient }) };
  }
  if (code === 'EAUTH') return { kind: 'misconfigured', reason: 'offers no login method that is supported' };
  return retryLater(explainDisconnect(error).reason, mayHaveArrived);
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

function replyCode(error: SmtpError): string {
  const enhanced = enhancedCode(error);
  return enhanced ? `${error.responseCode} ${enhanced}` : String(error.responseCode);
}

function enhancedCode({ response = '' }: SmtpError): string | undefined {
  return /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
}

function describeStep({ code, command = '' }: SmtpError): string {
  if (code === 'EMESSAGE') return 'the mail';
  if (command.startsWith('AUTH')) return 'the login';
  return /^(EHLO|HELO|STARTTLS|MAIL FROM|RCPT TO|DATA)$/.test(command) ? command : 'the connection';
}

const timeouts = new Map<string, ConnectError>([
  ['CONNECT_TIMEOUT', { about: 'connection', reason: 'no connection in time' }],
  ['GREETING_TIMEOUT', { about: 'connection', reason: 'no greeting in time' }],
  ['UPGRADE_TIMEOUT', { about: 'encryption', reason: 'TLS handshake took too long' }],
  ['SOCKET_TIMEOUT', { about: 'connection', reason: 'no answer in time' }],
]);

const disconnectReasons = new Map([
  ['ECONNRESET', 'connection reset'],
  ['EPIPE', 'connection reset'],
  ['ECONNECTION', 'connection closed'],
  ['EMESSAGE', 'the mail is larger than the server takes'],
]);
const failedHandshake = /^(ERR_SSL_|EPROTO$)/;

function explainDisconnect({ code = '', originalCode, timeoutType = '' }: SmtpError): ConnectError {
  const timeout = timeouts.get(timeoutType);
  if (timeout) return timeout;
  if (code === 'EDNS') return { about: 'host', reason: 'host name not found' };
  const cause = originalCode || code;
  if (failedHandshake.test(cause)) return { about: 'encryption', reason: `TLS handshake failed (${cause})` };
  const reason = disconnectReasons.get(cause) ?? `mail server failed (${cause || 'unknown'})`;
  return describeConnectError(cause) ?? { about: 'connection', reason };
}

export type SmtpFailure = { about: ConnectError['about'] | 'login'; reason: string };

/** Of a connection on which nothing is sent. */
export function explainSmtpFailure(error: SmtpError): SmtpFailure {
  const outcome = classifySmtpError(error, false);
  const reason = 'reason' in outcome ? outcome.reason : '';
  const isLogin = outcome.kind === 'misconfigured' || error.command?.startsWith('AUTH');
  const about = isLogin ? 'login' : error.responseCode ? 'connection' : explainDisconnect(error).about;
  return { about, reason };
}
