import type { Clock } from '../../core/clock.ts';
import type { NoteRow } from '../../core/database/tables.ts';
import type { Messages } from './messages.ts';

const maxNoteLength = 10_000;

type ParsedNote = { text: string; error?: undefined } | { error: string; text?: undefined };

export function parseNote(given: string): ParsedNote {
  const text = given.trim().toWellFormed().replaceAll('\0', '');
  if (!text) return { error: 'A note requires at least one word.' };
  if (text.length <= maxNoteLength) return { text };
  const [length, max] = [text.length, maxNoteLength].map(number => number.toLocaleString('en-GB'));
  return { error: `The note has ${length} characters; at most ${max} are stored.` };
}

/** Undefined where there is no such message. */
export async function addNote(
  { messages, clock }: { messages: Pick<Messages, 'addNote'>; clock: Clock },
  reference: string,
  text: string,
): Promise<NoteRow | undefined> {
  const note = { reference, created_at: clock.now().toISOString(), text };
  return (await messages.addNote(reference, text, note.created_at)) ? note : undefined;
}
