import { explainReasons } from '../../domain/messages/explain-reasons.ts';
import { omitIdempotencyKey } from '../../domain/messages/format-messages.ts';
import { replaceControls } from '../../lib/control-characters.ts';
import type { Wired } from '../../server/wire.ts';
import type { Flags } from '../command.ts';
import { printError, printJson } from '../print.ts';
import { formatCell, wrapText } from '../table.ts';
import { outputWidth, printLines } from '../terminal.ts';
import { describeState } from './list.ts';

type Store = Wired['store'];
type Message = NonNullable<Awaited<ReturnType<Store['messages']['get']>>>;
type Delivery = Awaited<ReturnType<Store['outbox']['list']>>[number];
type Attempt = Awaited<ReturnType<Store['outbox']['listAttempts']>>[number];

const maxDeliveries = 100;

export async function show(
  { store }: Wired,
  reference: string,
  { json: isJson }: Flags<'json'>,
): Promise<void> {
  const message = await store.messages.get(reference);
  if (!message) return printError(`There is no message ${reference}.`);
  const [listed, attempts] = await Promise.all([
    store.outbox.list({ reference }, maxDeliveries),
    store.outbox.listAttempts(reference),
  ]);
  const deliveries = listed.toSorted((a, b) => (a.receiver < b.receiver ? -1 : 1));
  const made = (receiver: string) => attempts.filter(attempt => attempt.receiver === receiver);
  if (isJson) return printJson(toJson(message, deliveries, made));
  printLines(draw(message, deliveries, made));
}

type Made = (receiver: string) => Attempt[];

function toJson(message: Message, deliveries: Delivery[], made: Made) {
  const shown = ({ number, ended_at, state, why }: Attempt) => ({ number, ended_at, state, why });
  return {
    ...omitIdempotencyKey(message),
    deliveries: deliveries.map(({ lease, payload, reference, subscriber, issue, ...delivery }) => ({
      ...delivery,
      history: made(delivery.receiver).map(shown),
    })),
  };
}

/** Each line that a visitor wrote stands after a bar: none can pass for ours. */
function draw(message: Message, deliveries: Delivery[], made: Made): string[] {
  const reasons = explainReasons(message.quarantine_reason);
  const sent = deliveries.flatMap(delivery => drawDelivery(delivery, made(delivery.receiver)));
  return [
    label('Reference') + message.reference,
    label('Received') + time(message.received_at),
    label('State') + describeState(message),
    ...reasons.map((why, index) => label(index === 0 ? 'Why' : '') + why),
    ...quoteText('Name', message.name),
    ...quoteText('E-mail', message.email),
    ...quoteText('Service', message.service),
    ...quoteText('Message', message.message),
    '',
    'Deliveries',
    ...(sent.length > 0 ? sent : ['  none']),
  ];
}

const labelWidth = 'Reference'.length + 2;

function label(name: string): string {
  return name.padEnd(labelWidth);
}

const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

function quoteText(name: string, text: string): string[] {
  const lines = text.split(lineEnd).flatMap(line => foldAfter(`${' '.repeat(labelWidth)}│ `, line));
  return [label(name) + (lines[0] ?? '').slice(labelWidth), ...lines.slice(1)];
}

function drawDelivery(delivery: Delivery, attempts: Attempt[]): string[] {
  const { receiver, state, due_at, settled_at, is_possibly_twice } = delivery;
  const when =
    state === 'waiting' ? `due ${time(due_at)}` : state !== 'sending' && settled_at ? time(settled_at) : '';
  const twice = is_possibly_twice ? 'possibly twice' : '';
  // Marking as spam is no attempt, and old attempts were not recorded.
  const last = attempts.some(({ why }) => why === delivery.last_failure) ? '' : delivery.last_failure;
  const head = `  ${receiver.padEnd(labelWidth - 2)}${[state, when, twice, replaceControls(last)].filter(Boolean).join(', ')}`;
  return [head, ...attempts.flatMap(drawAttempt)];
}

function drawAttempt({ number, ended_at, state, why }: Attempt): string[] {
  const start = `    ${number}. ${time(ended_at)}  `;
  const [first = '', ...rest] = foldAfter(' '.repeat(start.length), why ? `${state}: ${why}` : state);
  return [start + first.slice(start.length), ...rest];
}

function time(at: string): string {
  return outputWidth() !== undefined ? `${formatCell(at)} UTC` : at;
}

function foldAfter(start: string, line: string): string[] {
  const width = outputWidth();
  const lines =
    width === undefined ? [replaceControls(line)] : wrapText(line, Math.max(20, width - start.length));
  return lines.map(one => (start + one).trimEnd());
}
