import { releaseMessage } from '../../domain/messages/release-message.ts';
import type { Wired } from '../../server/wire.ts';
import { fail, note, print } from '../say.ts';
import { type Call, readReferences } from './call.ts';

export async function release(wired: Wired, call: Call): Promise<void> {
  const receivers = wired.receivers.map(({ name }) => name);
  const deps = { messages: wired.store.messages, clock: wired.clock, receivers };
  const released: string[] = [];
  for (const reference of readReferences(call)) {
    const result = await releaseMessage(deps, reference);
    if (result.kind === 'released') released.push(reference);
    else if (result.kind === 'unknown') fail(`There is no message ${reference}.`);
    else fail(`${reference} is neither in quarantine nor spam: it is ${result.state}.`);
  }
  if (call.values.json) print({ released });
  else for (const reference of released) note(`${reference} is let out and on its way.`);
}
