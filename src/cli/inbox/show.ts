import { omitIdempotencyKey } from '../../domain/messages/format-messages.ts';
import { getMessage } from '../../domain/messages/read-inbox.ts';
import { explainReasons } from '../../domain/messages/score-message.ts';
import { messageFields } from '../../features/messages/message-fields.ts';
import { replaceControls } from '../../lib/control-characters.ts';
import type { Services } from '../../server/wire.ts';
import type { Flags } from '../command.ts';
import { printError, printJson } from '../print.ts';
import { printLines } from '../terminal.ts';
import { formatReport } from './format-report.ts';
import { describeState } from './list.ts';

type Found = NonNullable<Awaited<ReturnType<typeof getMessage>>>;
type Message = Found['message'];
type Delivery = Found['deliveries'][number];
type Attempt = Found['attempts'][number];
type Note = Found['notes'][number];

export async function show(
  { domainDeps }: Services,
  reference: string,
  { json: isJson }: Flags<'json'>,
): Promise<void> {
  const found = await getMessage(domainDeps, reference);
  if (!found) return printError(`no message with the reference ${reference}`);
  const { message, notes, deliveries, attempts, report } = found;
  const byReceiver = (receiver: string) => attempts.filter(attempt => attempt.receiver === receiver);
  if (isJson) return printJson({ ...toJson(message, notes, deliveries, byReceiver), report });
  const lines = formatMessage(message, notes, deliveries, byReceiver);
  printLines(message.audit_report === null ? lines : [...lines, '', ...formatReport(reference, report)]);
}

type AttemptsTo = (receiver: string) => Attempt[];

function toJson(message: Message, notes: Note[], deliveries: Delivery[], attemptsTo: AttemptsTo) {
  const shown = ({ number, ended_at, state, reason }: Attempt) => ({ number, ended_at, state, reason });
  return {
    ...omitIdempotencyKey(message),
    notes: notes.map(({ created_at, text }) => ({ created_at, text })),
    deliveries: deliveries.map(({ lease, payload, reference, subscriber, issue, ...delivery }) => ({
      ...delivery,
      history: attemptsTo(delivery.receiver).map(shown),
    })),
  };
}

/** A visitor's lines begin with a bar, so that none is taken for a line of the command. */
function formatMessage(
  message: Message,
  notes: Note[],
  deliveries: Delivery[],
  attemptsTo: AttemptsTo,
): string[] {
  const reasons = explainReasons(message.quarantine_reason);
  const width = Math.max(...deliveries.map(({ receiver }) => receiver.length + 2), labelWidth - 2);
  const sent = deliveries.flatMap(delivery => formatDelivery(delivery, attemptsTo(delivery.receiver), width));
  return [
    label('Reference') + message.reference,
    label('Received') + message.received_at,
    label('State') + describeState(message),
    ...(message.answered_at ? [label('Answered') + message.answered_at] : []),
    ...(message.closed_at ? [label('Closed') + message.closed_at] : []),
    ...reasons.map((reason, index) => label(index === 0 ? 'Reason' : '') + reason),
    ...messageFields.flatMap(({ name, label }) => quoteText(label, message[name])),
    ...(notes.length > 0 ? ['', 'Notes', ...notes.flatMap(formatNote)] : []),
    '',
    'Deliveries',
    ...(sent.length > 0 ? sent : ['  None']),
  ];
}

const labelWidth = 'Reference'.length + 2;

function label(name: string): string {
  return name.padEnd(labelWidth);
}

const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

function quoteText(name: string, text: string): string[] {
  const lines = text.split(lineEnd).map(line => `│ ${replaceControls(line)}`.trimEnd());
  return lines.map((line, index) => label(index === 0 ? name : '') + line);
}

function formatNote({ created_at, text }: Note): string[] {
  const lines = text.split(lineEnd).map(line => `    │ ${replaceControls(line)}`.trimEnd());
  return [`  ${created_at}`, ...lines];
}

function formatDelivery(delivery: Delivery, attempts: Attempt[], width: number): string[] {
  const { receiver, state, due_at, settled_at, is_possible_duplicate } = delivery;
  const when = state === 'waiting' ? `due ${due_at}` : state !== 'sending' && settled_at ? settled_at : '';
  const duplicate = is_possible_duplicate ? 'possible duplicate' : '';
  // Marking as spam is not an attempt, and early versions recorded none.
  const last = attempts.some(({ reason }) => reason === delivery.last_failure) ? '' : delivery.last_failure;
  const head = `  ${receiver.padEnd(width)}${[state, when, duplicate, replaceControls(last)].filter(Boolean).join(', ')}`;
  return [head, ...attempts.map(formatAttempt)];
}

function formatAttempt({ number, ended_at, state, reason }: Attempt): string {
  return `    ${number}. ${ended_at}  ${reason ? `${state}: ${replaceControls(reason)}` : state}`;
}
