import { addNote, parseNote } from '../../domain/messages/add-note.ts';
import { answerMessage } from '../../domain/messages/answer-message.ts';
import type { ChangeResult } from '../../domain/messages/change-state.ts';
import { closeMessage } from '../../domain/messages/close-message.ts';
import { createReplyUrl } from '../../domain/messages/create-reply-url.ts';
import { reopenMessage } from '../../domain/messages/reopen-message.ts';
import type { Services } from '../../server/wire.ts';
import { type Flags, type TextOptions, throwUsageError } from '../command.ts';
import { printError, printJson, printNote } from '../print.ts';

export async function answer(
  { domainDeps }: Services,
  reference: string,
  { note, json: isJson }: TextOptions<'note'> & Flags<'json'>,
): Promise<void> {
  const text = note === undefined ? undefined : parseNoteOrExit(note);
  const result = await answerMessage(domainDeps, reference, text);
  if (result.kind !== 'changed') return printUnchanged(reference, result, 'answered');
  const { replyTo = null } = result;
  if (isJson) return printJson({ reference, state: 'answered', replyTo });
  printNote(`${reference} marked as answered`);
  const url = createReplyUrl({ reference, email: result.message.email });
  if (url) printNote(`Reply to: ${url}`);
  else
    printNote(
      `The visitor gave no email address. Is there a phone number in the message? npm run inbox -- show ${reference}`,
    );
}

export async function note(
  { domainDeps }: Services,
  reference: string,
  words: string[],
  { json: isJson }: Flags<'json'>,
): Promise<void> {
  const added = await addNote(domainDeps, reference, parseNoteOrExit(words.join(' ')));
  if (!added) return printError(`no message with the reference ${reference}`);
  if (isJson) printJson(added);
  else printNote(`Note added to ${reference}`);
}

export function close(services: Services, references: string[], values: Flags<'json'>): Promise<void> {
  return changeEach(services, references, values, closeMessage, 'closed');
}

export function reopen(services: Services, references: string[], values: Flags<'json'>): Promise<void> {
  return changeEach(services, references, values, reopenMessage, 'reopened');
}

async function changeEach(
  { domainDeps }: Services,
  references: string[],
  { json: isJson }: Flags<'json'>,
  verb: typeof closeMessage,
  done: 'closed' | 'reopened',
): Promise<void> {
  const changed: string[] = [];
  for (const reference of references) {
    const result = await verb(domainDeps, reference);
    if (result.kind === 'changed') changed.push(reference);
    else printUnchanged(reference, result, done);
  }
  if (isJson) printJson({ [done]: changed });
  else for (const reference of changed) printNote(`${reference} ${done}`);
}

function printUnchanged(
  reference: string,
  result: Exclude<ChangeResult, { kind: 'changed' }>,
  done: string,
): void {
  if (result.kind === 'unknown') printError(`no message with the reference ${reference}`);
  else if (result.state === done) printError(`${reference} is already ${done}`);
  else {
    const isHeldBack = result.state === 'quarantined' || result.state === 'spam';
    const hint = isHeldBack ? `. To accept it first: npm run inbox -- release ${reference}` : '';
    printError(`${reference} not ${done}; its state is ${result.state}${hint}`);
  }
}

function parseNoteOrExit(given: string): string {
  const { text, error } = parseNote(given);
  return error === undefined ? text : throwUsageError(error);
}
