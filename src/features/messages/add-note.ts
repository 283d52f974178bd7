import * as v from 'valibot';
import type { Clock } from '../../core/clock.ts';
import type { NoteRow } from '../../core/database/tables.ts';
import type { Messages } from './messages.ts';

const maxNoteLength = 10_000;

export const noteText = v.pipe(
  v.string(),
  v.transform(given => given.trim().toWellFormed().replaceAll('\0', '')),
  v.nonEmpty('A note requires at least one word.'),
  v.maxLength(maxNoteLength, ({ input: { length } }) => {
    const [given, max] = [length, maxNoteLength].map(number => number.toLocaleString('en-GB'));
    return `The note has ${given} characters; at most ${max} are stored.`;
  }),
);

/** Undefined where there is no such message. */
export async function addNote(
  { messages, clock }: { messages: Pick<Messages, 'addNote'>; clock: Clock },
  reference: string,
  text: string,
): Promise<NoteRow | undefined> {
  const note = { reference, created_at: clock.now().toISOString(), text };
  return (await messages.addNote(reference, text, note.created_at)) ? note : undefined;
}
