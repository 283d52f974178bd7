import type { Failure, FailureCode } from '../../../core/outbox/failures.ts';

const unreachable = 'It could not be reached';
const stopped = 'The site stopped while it was being sent';
const refusedText = 'A filter in front of it refused the text';
const refusedKey = 'It did not accept our password or key';
const notWritten = 'The file could not be written on this machine';

const explanations: Partial<Record<FailureCode, string>> = {
  spam: 'The message was marked as spam',
  interrupted: stopped,
  'result-unknown': stopped,
  exhausted: stopped,
  'host-not-found': unreachable,
  'host-not-looked-up': unreachable,
  'connection-refused': unreachable,
  'connection-reset': unreachable,
  'connection-closed': unreachable,
  'connection-timeout': unreachable,
  'not-connected': unreachable,
  'certificate-not-accepted': unreachable,
  'certificate-of-another-host': unreachable,
  'tls-failed': unreachable,
  'tls-timeout': unreachable,
  'answer-incomplete': unreachable,
  'no-greeting': unreachable,
  'no-answer': unreachable,
  'no-login-method': refusedKey,
  'wrong-secret': refusedKey,
  'mail-filtered': refusedText,
  'file-not-written': notWritten,
  'folder-not-written': notWritten,
};

const statuses = new Map([
  ...[401, 407].map(status => [status, refusedKey] as const),
  [403, refusedText],
  ...[404, 410].map(status => [status, 'Its address is wrong, or it was moved'] as const),
  ...[402, 408, 425, 429].map(status => [status, 'It was too busy'] as const),
]);

const fault = 'It had a fault of its own';
const refused = 'It refused the delivery';

/** In words of an owner. Undefined where the failure's own text says it all. */
export function explainFailure(failure: Failure): string | undefined {
  const known = explanations[failure.code];
  if (known) return known;
  if (failure.code === 'mail-answered') return explainMailAnswer(failure);
  if ('failure' in failure) return explainFailure(failure.failure as Failure);
  if ('status' in failure) return statuses.get(failure.status) ?? (failure.status >= 500 ? fault : refused);
  return undefined;
}

type MailAnswer = Extract<Failure, { code: 'mail-answered' }>;

function explainMailAnswer({ status, enhanced, step }: MailAnswer): string {
  if (step === 'login') return refusedKey;
  if (step === 'connection') return unreachable;
  // Such as 550 5.1.1, which is about the mail.
  const isAboutMail = enhanced?.startsWith('5.');
  return status >= 500 && !isAboutMail ? fault : refused;
}
