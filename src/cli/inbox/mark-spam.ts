import { markSpam as markAsSpam } from '../../domain/messages/mark-spam.ts';
import type { Wired } from '../../server/wire.ts';
import { fail, note, print } from '../say.ts';
import { type Call, readReferences } from './call.ts';

export async function markSpam({ store: { messages }, clock }: Wired, call: Call): Promise<void> {
  const marked: string[] = [];
  for (const reference of readReferences(call)) {
    const result = await markAsSpam({ messages, clock }, reference);
    if (result.kind === 'marked') marked.push(reference);
    else if (result.kind === 'unknown') fail(`There is no message ${reference}.`);
    else fail(`${reference} was not marked: it is ${result.state}.`);
  }
  if (call.values.json) print({ marked });
  else
    for (const reference of marked) {
      note(`${reference} is spam now, and goes to nobody who does not have it yet.`);
    }
}
