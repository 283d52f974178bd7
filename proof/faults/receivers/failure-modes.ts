import type { Behaviour } from '../../../tests/fakes/http-service.ts';
import type { Fault as SmtpFault } from '../../../tests/fakes/smtp-server.ts';

/** One way to fail. `restrains`: for how long a receiver that fails so is left alone. */
export type FailureMode<Failure> = {
  name: string;
  failure: Failure;
  restrains?: 'for a while' | 'until the next start';
};

function answer(status: number, more: Partial<Extract<Behaviour, { kind: 'answer' }>> = {}): Behaviour {
  return { kind: 'answer', status, ...more };
}

const later = { headers: { 'retry-after': '1' } };

/** `though done`: the row is there, and only the answer went wrong. */
export const sheetFailures: FailureMode<Behaviour>[] = [
  { name: 'answers 500', failure: answer(500) },
  { name: 'answers 500 though done', failure: answer(500, { isDone: true }) },
  { name: 'answers 502 though done', failure: answer(502, { isDone: true, body: '<h1>Bad Gateway</h1>' }) },
  { name: 'answers 402', failure: answer(402) },
  { name: 'answers 404', failure: answer(404) },
  { name: 'redirects', failure: answer(302, { headers: { location: 'http://127.0.0.1:1/' } }) },
  { name: 'answers 200 with an error', failure: answer(200, { body: '{"error":"quota"}' }) },
  { name: 'resets the connection', failure: { kind: 'reset' } },
  { name: 'resets the connection though done', failure: { kind: 'reset', isDone: true } },
  { name: 'hangs', failure: { kind: 'hang' } },
  { name: 'hangs though done', failure: { kind: 'hang', isDone: true } },
  { name: 'answers a letter at a time', failure: { kind: 'drip', isDone: true } },
  { name: 'answers 503 for a while', failure: answer(503, later), restrains: 'for a while' },
  { name: 'answers 429 for a while', failure: answer(429, later), restrains: 'for a while' },
  { name: 'answers 401', failure: answer(401), restrains: 'until the next start' },
  { name: 'answers 403', failure: answer(403) },
  { name: 'answers 410', failure: answer(410) },
  {
    name: 'answers 201 though done',
    failure: answer(201, { isDone: true }),
  },
];

export const webhookFailures: FailureMode<Behaviour>[] = [
  { name: 'answers 500', failure: answer(500) },
  { name: 'answers 500 though done', failure: answer(500, { isDone: true }) },
  { name: 'answers 404', failure: answer(404) },
  { name: 'redirects', failure: answer(307, { headers: { location: 'http://127.0.0.1:1/' } }) },
  { name: 'resets the connection', failure: { kind: 'reset' } },
  { name: 'resets the connection though done', failure: { kind: 'reset', isDone: true } },
  { name: 'hangs', failure: { kind: 'hang' } },
  { name: 'hangs though done', failure: { kind: 'hang', isDone: true } },
  { name: 'answers 429 for a while', failure: answer(429, later), restrains: 'for a while' },
  { name: 'answers 401', failure: answer(401), restrains: 'until the next start' },
  { name: 'answers 410', failure: answer(410) },
];

/** After the end of a mail whatever happens but a refusal leaves it in the mailbox. */
export const mailFailures: FailureMode<SmtpFault>[] = [
  { name: 'is too busy to greet', failure: { at: 'greeting', kind: 'answer', reply: '421 4.3.2 later' } },
  { name: 'resets before the greeting', failure: { at: 'greeting', kind: 'reset' } },
  { name: 'never greets', failure: { at: 'greeting', kind: 'hang' } },
  { name: 'refuses the sender', failure: { at: 'sender', kind: 'answer', reply: '451 4.3.0 later' } },
  { name: 'greylists', failure: { at: 'recipient', kind: 'answer', reply: '450 4.2.0 greylisted' } },
  { name: 'relays nothing', failure: { at: 'recipient', kind: 'answer', reply: '554 5.7.1 no relay' } },
  { name: 'has no room', failure: { at: 'data', kind: 'answer', reply: '452 4.3.1 no room' } },
  { name: 'resets within the text', failure: { at: 'text', kind: 'reset' } },
  { name: 'refuses the text', failure: { at: 'end', kind: 'answer', reply: '451 4.3.0 later' } },
  {
    name: 'refuses what it says',
    failure: { at: 'end', kind: 'answer', reply: '554 5.7.1 no' },
  },
  { name: 'resets though kept', failure: { at: 'end', kind: 'reset' } },
  { name: 'hangs though kept', failure: { at: 'end', kind: 'hang' } },
  {
    name: 'refuses the login',
    failure: { at: 'login', kind: 'answer', reply: '535 5.7.8 no' },
    restrains: 'until the next start',
  },
];
