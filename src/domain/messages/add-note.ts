import type { Clock } from '../../lib/clock.ts';
import type { Messages } from '../../store/messages.ts';
import type { NoteRow } from '../../store/tables.ts';

export const maxNoteLength = 10_000;

/** Undefined where there is no such message. */
export async function addNote(
  { messages, clock }: { messages: Pick<Messages, 'addNote'>; clock: Clock },
  reference: string,
  text: string,
): Promise<NoteRow | undefined> {
  const note = { reference, created_at: clock.now().toISOString(), text };
  return (await messages.addNote(reference, text, note.created_at)) ? note : undefined;
}
