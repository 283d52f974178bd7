import { explainReasons } from '../../domain/messages/explain-reasons.ts';
import { shownRow } from '../../domain/messages/write-messages.ts';
import type { Wired } from '../../server/wire.ts';
import { fail, print } from '../say.ts';
import { colourOf, shorten } from '../table.ts';
import { outputWidth, printLines, styled, type Text } from '../terminal.ts';
import { textWidth, visible, wrap } from '../text.ts';
import { type Call, readReferences } from './call.ts';
import { describeState } from './list.ts';

type Store = Wired['store'];
type Message = NonNullable<Awaited<ReturnType<Store['messages']['get']>>>;
type Delivery = Awaited<ReturnType<Store['outbox']['list']>>[number];
type Attempt = Awaited<ReturnType<Store['outbox']['listAttempts']>>[number];

/** More receivers than anybody has configured. */
const mostDeliveries = 100;

export async function show({ store }: Wired, call: Call): Promise<void> {
  const [reference = ''] = readReferences(call);
  const message = await store.messages.get(reference);
  if (!message) return fail(`There is no message ${reference}.`);
  const [listed, attempts] = await Promise.all([
    store.outbox.list({ reference }, mostDeliveries),
    store.outbox.listAttempts(reference),
  ]);
  const deliveries = listed.toSorted((a, b) => (a.receiver < b.receiver ? -1 : 1));
  const made = (receiver: string) => attempts.filter(attempt => attempt.receiver === receiver);
  if (call.values.json) return print(toJson(message, deliveries, made));
  printLines(draw(message, deliveries, made));
}

type Made = (receiver: string) => Attempt[];

function toJson(message: Message, deliveries: Delivery[], made: Made) {
  return {
    ...shownRow(message),
    deliveries: deliveries.map(({ lease, payload, reference, subscriber, issue, ...delivery }) => ({
      ...delivery,
      history: made(delivery.receiver).map(({ number, ended_at, state, why }) => ({
        number,
        ended_at,
        state,
        why,
      })),
    })),
  };
}

/** Everything a visitor wrote stands after a bar, line by line: none of it can pass for ours. */
function draw(message: Message, deliveries: Delivery[], made: Made): Text[] {
  const about: [string, Text][] = [
    ['Reference', message.reference],
    ['Received', time(message.received_at)],
    ['State', styled(colourOf(message.state), describeState(message))],
    ...explainReasons(message.quarantine_reason).map((why, index): [string, Text] => [
      index === 0 ? 'Why' : '',
      why,
    ]),
  ];
  const written = [
    ['Name', message.name],
    ['E-mail', message.email],
    ['Service', message.service],
    ['Message', message.message],
  ].flatMap(([name = '', value = '']) => quoteText(name, value));
  const sent = deliveries.flatMap(delivery => drawDelivery(delivery, made(delivery.receiver)));
  const none = sent.length === 0 ? ['  none'] : [];
  return [
    ...about.map(([name, value]) => [label(name), value]),
    ...written,
    '',
    styled('bold', 'Deliveries'),
    ...none,
    ...sent,
  ];
}

const labelWidth = 'Reference'.length + 2;

function label(name: string): Text {
  return [styled('dim', name), ' '.repeat(labelWidth - name.length)];
}

const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

function quoteText(name: string, text: string): Text[] {
  const lines = text.split(lineEnd).flatMap(line => fold(visible(line), labelWidth + 2));
  return lines.map((line, index) => [
    index === 0 ? label(name) : ' '.repeat(labelWidth),
    styled('dim', '│'),
    ` ${line}`.trimEnd(),
  ]);
}

function drawDelivery(delivery: Delivery, attempts: Attempt[]): Text[] {
  const { receiver, state, due_at, settled_at, is_possibly_twice } = delivery;
  const when =
    state === 'waiting' ? `due ${time(due_at)}` : state !== 'sending' && settled_at ? time(settled_at) : '';
  const twice = is_possibly_twice ? 'possibly twice' : '';
  // No attempt says that it was marked as spam, nor is there one of before they were recorded.
  const last = attempts.some(({ why }) => why === delivery.last_failure) ? '' : delivery.last_failure;
  const rest = [when, twice, visible(last)].filter(Boolean).map(part => `, ${part}`);
  const head = [`  ${receiver.padEnd(labelWidth - 2)}`, styled(colourOf(state), state), ...rest];
  return [head, ...attempts.flatMap(drawAttempt)];
}

function drawAttempt({ number, ended_at, state, why }: Attempt): string[] {
  const start = `    ${number}. ${time(ended_at)}  `;
  const said = visible(why ? `${state}: ${why}` : state);
  return fold(said, textWidth(start)).map(
    (line, index) => (index === 0 ? start : ' '.repeat(start.length)) + line,
  );
}

function time(at: string): string {
  return outputWidth() !== undefined ? `${shorten(at)} UTC` : at;
}

/** To the width of the terminal; a program gets its lines whole. */
function fold(line: string, indent: number): string[] {
  const width = outputWidth();
  return width === undefined ? [line] : wrap(line, Math.max(20, width - indent));
}
