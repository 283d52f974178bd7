/**
 * Why a delivery was not made: a code with values, of which text is made where it is shown. No value is a visitor's word, or a
 * credential.
 */
export type Failure = { [Code in FailureCode]: { code: Code } & Values<Code> }[FailureCode];

export type FailureCode = keyof typeof texts;

type Values<Code extends FailureCode> = Parameters<(typeof texts)[Code]> extends [infer V] ? V : unknown;

/** A failure; the type of one cannot name itself. */
type Nested = { code: string; [value: string]: unknown };
type Caused = { cause: string };
type Status = { status: number };

const texts = {
  // Of the outbox itself.
  erased: () => 'its message was erased',
  'not-wanted': () => 'no longer wanted',
  spam: () => 'marked as spam',
  interrupted: () => 'interrupted while it was sent',
  'result-unknown': () => 'interrupted: result unknown',
  exhausted: () => 'no attempt finished',
  unexpected: () => 'failed unexpectedly; see the log',
  'not-attempted': ({ failure }: { failure: Nested }) => `attempt not made: ${describeNested(failure)}`,
  'deadline-passed': () => 'its deadline passed before it was sent',
  'not-stopped': () => 'it did not stop after it was aborted',
  'stopped-before': () => 'stopped before it was sent',
  'stopped-waiting': () => 'stopped before an answer came',
  'stopped-writing': () => 'stopped before it was written',
  'stopped-mailing': () => 'stopped before the mail server had answered',

  // Of a connection.
  'host-not-found': () => 'host name not found',
  'host-not-looked-up': () => 'host name could not be looked up',
  'connection-refused': () => 'connection refused',
  'connection-reset': () => 'connection reset',
  'connection-closed': () => 'connection closed',
  'connection-timeout': () => 'no connection in time',
  'host-not-reachable': () => 'host not reachable',
  'network-not-reachable': () => 'network not reachable',
  'not-connected': ({ cause }: Caused) => `no connection (${cause})`,
  'certificate-not-accepted': ({ cause }: Caused) => `certificate not accepted (${cause})`,
  'certificate-of-another-host': () => 'certificate is for another host',
  'tls-failed': ({ cause }: Partial<Caused>) => `TLS handshake failed${inBrackets(cause)}`,
  'tls-timeout': () => 'TLS handshake took too long',
  'call-failed': ({ cause }: Partial<Caused>) => `call failed${inBrackets(cause)}`,
  'forbidden-port': () => 'port is one that HTTP may not use',

  // Of an HTTP answer.
  answered: ({ status }: Status) => `answered ${status}`,
  'answered-no-success': ({ status }: Status) => `answered ${status}, but not in the way that means success`,
  'answered-not-counted': ({ status, setting }: Status & { setting: string }) =>
    `answered ${status}, which ${setting} does not count as success`,
  'answered-redirect': ({ status }: Status) => `answered ${status}: a redirect, which is not followed`,
  'answered-refusal': ({ status }: Status) => `answered ${status}: ${refusals.get(status) ?? 'refused'}`,
  'answer-broke-off': ({ status, failure }: Status & { failure: Nested }) =>
    `answered ${status}, then its body broke off: ${describeNested(failure)}`,
  'answer-incomplete': () => 'connection closed before the answer was complete',
  'answer-headers': () => 'answer has too many headers',
  'answer-not-http': () => 'answer is not HTTP',
  'no-answer-within': ({ seconds }: { seconds: number }) => `no answer within ${seconds} s`,
  'look-up-failed': ({ failure }: { failure: Nested }) => `look-up failed: ${describeNested(failure)}`,
  'look-up-answered': ({ status }: Status) => `look-up answered ${status}`,
  'look-up-too-long': () => 'look-up answered with more than is read',
  'wrong-secret': ({ setting }: { setting: string }) => `the script does not accept the secret in ${setting}`,
  'script-redirect': () =>
    'redirected elsewhere than to the answer of a script: is it deployed for "Anyone"?',

  // Of a mail.
  'mail-answered': describeMailAnswer,
  'mail-filtered': (answer: MailAnswer) => `${describeMailAnswer(answer)}: refused, perhaps by a filter`,
  'no-login-method': () => 'offers no login method that is supported',
  'no-greeting': () => 'no greeting in time',
  'no-answer': () => 'no answer in time',
  'mail-too-large': () => 'the mail is larger than the server takes',
  'mail-server-failed': ({ cause }: Caused) => `mail server failed (${cause})`,
  'mail-without-site': () => 'SITE_URL is not set: the mail has no site to link to',
  'mail-not-composed': ({ message }: { message: string }) => `could not be written: ${message}`,
  'bad-address': () => 'its address is not valid',

  // Of a file.
  'file-not-written': ({ file, cause }: { file: string; cause: string }) =>
    `${file} cannot be written: ${fileReasons.get(cause) ?? cause}`,
  'folder-not-written': ({ folder, cause }: { folder: string; cause: string }) =>
    `${folder} cannot be written to (${cause})`,

  /** An error that no code is known of, and what earlier versions stored. */
  other: ({ text }: { text: string }) => text,
};

/** `enhanced`: such as 5.1.1. `step`: an SMTP command, or what stands for several. */
type MailAnswer = { status: number; enhanced?: string; step: string };

function describeMailAnswer({ status, enhanced, step }: MailAnswer): string {
  const reply = enhanced ? `${status} ${enhanced}` : status;
  return `answered ${reply} to ${['login', 'connection', 'mail'].includes(step) ? `the ${step}` : step}`;
}

const refusals = new Map([
  [403, 'refused, perhaps by a firewall in front of it'],
  [404, 'nothing is at that address'],
  [410, 'what was at that address is gone'],
]);

const fileReasons = new Map([
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EFBIG', 'it may not grow any further'],
  ['EACCES', 'there is no permission to write it'],
  ['EPERM', 'there is no permission to write it'],
  ['EROFS', 'the disk is read-only'],
  ['EBUSY', 'another program holds it'],
  ['EEXIST', 'another process holds its lock'],
  ['EISDIR', 'it is a folder'],
  ['EIO', 'the disk reports an error'],
]);

function inBrackets(cause: string | undefined): string {
  return cause ? ` (${cause})` : '';
}

function describeNested(failure: Nested): string {
  return describeFailure(failure as Failure);
}

export function describeFailure(failure: Failure): string {
  const write = texts[failure.code] as (values: Failure) => string;
  return write(failure);
}

/** As the database has it. */
export function storeFailure(failure: Failure): string {
  return failure.code === 'other' ? failure.text : JSON.stringify(failure);
}

export function readStoredFailure(stored: string): Failure {
  return parse(stored) ?? ofEarlierVersion.get(stored) ?? { code: 'other', text: stored };
}

function parse(stored: string): Failure | undefined {
  if (!stored.startsWith('{')) return undefined;
  try {
    const failure: unknown = JSON.parse(stored);
    const isKnown =
      typeof failure === 'object' &&
      failure !== null &&
      'code' in failure &&
      Object.hasOwn(texts, String(failure.code));
    return isKnown ? (failure as Failure) : undefined;
  } catch {
    return undefined;
  }
}

/** Which stored the text itself: those of codes without values. */
const ofEarlierVersion: ReadonlyMap<string, Failure> = new Map(
  (Object.keys(texts) as FailureCode[])
    .filter(code => texts[code].length === 0)
    .map(code => [describeFailure({ code } as Failure), { code } as Failure]),
);

/** '' where nothing failed. */
export function describeStoredFailure(stored: string): string {
  return describeFailure(readStoredFailure(stored));
}

/** An attempt that was not made, with what is known of the reason. */
export class AttemptError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(describeFailure(failure));
    this.failure = failure;
  }
}
