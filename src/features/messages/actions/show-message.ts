import * as v from 'valibot';
import { actionsNeeding, type DepsOf, field, reference } from '../../../core/action.ts';
import { contentFolder } from '../../../core/content/content-folder.ts';
import { describeStoredFailure } from '../../../core/outbox/failures.ts';
import { replaceControls } from '../../../lib/control-characters.ts';
import { omitIdempotencyKey } from '../format-messages.ts';
import { messageFields } from '../message-fields.ts';
import { type AboutMessage, getMessage } from '../read-inbox.ts';
import { explainReasons } from '../score-message.ts';
import { describeState, describeUnknown } from './read-messages.ts';

const defineAction = actionsNeeding<{ domainDeps: DepsOf<typeof getMessage> }>();

type Found = NonNullable<Awaited<ReturnType<typeof getMessage>>>;
type Shown = ReturnType<typeof toShown>;

export const show = defineAction({
  name: 'show',
  about: 'show a message, its notes and its delivery attempts',
  examples: ['7X4QM-2KD9A'],
  opens: 'database',
  input: v.object({ reference: field('<reference>', 'reference of the message', reference) }),
  async run({ domainDeps }, { reference }) {
    const found = await getMessage(domainDeps, reference);
    return found && { ...toShown(found), about: found.about };
  },
  json(message) {
    if (!message) return undefined;
    const { about, ...shown } = message;
    return { ...shown, report: about?.found?.stored };
  },
  print: (message, { reference }) =>
    message
      ? [{ lines: [...formatMessage(message), ...formatAbout(message)] }]
      : [describeUnknown(reference)],
});

function toShown({ message, notes, deliveries, attempts }: Found) {
  return {
    ...omitIdempotencyKey(message),
    notes: notes.map(({ created_at, text }) => ({ created_at, text })),
    deliveries: deliveries.map(({ lease, payload, reference, subscriber, issue, ...delivery }) => ({
      ...delivery,
      last_failure: describeStoredFailure(delivery.last_failure),
      history: attempts
        .filter(({ receiver }) => receiver === delivery.receiver)
        .map(({ number, ended_at, state, reason }) => ({
          number,
          ended_at,
          state,
          reason: describeStoredFailure(reason),
        })),
    })),
  };
}

/** A visitor's lines begin with a bar, so that none is taken for a line of the command. */
function formatMessage({ deliveries, notes, ...message }: Shown): string[] {
  const reasons = explainReasons(message.quarantine_reason);
  const width = Math.max(...deliveries.map(({ receiver }) => receiver.length + 2), labelWidth - 2);
  const sent = deliveries.flatMap(delivery => formatDelivery(delivery, width));
  return [
    label('Reference') + message.reference,
    label('Received') + message.received_at,
    label('State') + describeState(message),
    ...(message.answered_at ? [label('Answered') + message.answered_at] : []),
    ...(message.closed_at ? [label('Closed') + message.closed_at] : []),
    ...reasons.map((reason, index) => label(index === 0 ? 'Reason' : '') + reason),
    ...messageFields.flatMap(({ name, label }) => quoteField(label, message[name])),
    ...(notes.length > 0 ? ['', 'Notes'] : []),
    ...notes.flatMap(({ created_at, text }) => [
      `  ${created_at}`,
      ...quote(text).map(line => `    ${line}`),
    ]),
    '',
    'Deliveries',
    ...(sent.length > 0 ? sent : ['  None']),
  ];
}

const labelWidth = 'Reference'.length + 2;

function label(name: string): string {
  return name.padEnd(labelWidth);
}

function quoteField(name: string, text: string): string[] {
  return quote(text).map((line, index) => label(index === 0 ? name : '') + line);
}

const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

function quote(text: string): string[] {
  return text.split(lineEnd).map(line => `│ ${replaceControls(line)}`.trimEnd());
}

function formatDelivery(delivery: Shown['deliveries'][number], width: number): string[] {
  const { receiver, state, due_at, settled_at, is_possible_duplicate, history } = delivery;
  const when = state === 'waiting' ? `due ${due_at}` : state !== 'sending' && settled_at ? settled_at : '';
  const duplicate = is_possible_duplicate ? 'possible duplicate' : '';
  // Marking as spam is not an attempt, and early versions recorded none.
  const last = history.some(({ reason }) => reason === delivery.last_failure) ? '' : delivery.last_failure;
  const parts = [state, when, duplicate, replaceControls(last)].filter(Boolean);
  return [
    `  ${receiver.padEnd(width)}${parts.join(', ')}`,
    ...history.map(
      ({ number, ended_at, state, reason }) =>
        `    ${number}. ${ended_at}  ${reason ? `${state}: ${replaceControls(reason)}` : state}`,
    ),
  ];
}

function formatAbout({ reference, about }: Pick<Shown, 'reference'> & { about: AboutMessage | undefined }) {
  if (!about) return [];
  const { title, erased, found } = about;
  if (!found) return ['', title, `  ${erased}`];
  const { domain, measuredAt, graded, first, open, passed } = found.describe(contentFolder);
  const measured = measuredAt.slice(0, 16).replace('T', ' ');
  const width = Math.max(...open.map(({ status }) => status.length));
  return [
    ...['', title],
    `  ${replaceControls(domain)}: ${graded}, measured ${measured} UTC`,
    ...(first.length > 0 ? [`  To do first: ${first.join(', ')}`] : []),
    ...open.map(({ title, status }) => `  ${status.padEnd(width)}  ${title}`),
    `  ${passed}; with their evidence: npm run inbox -- show ${reference} --json`,
  ];
}
