import { releaseMessage } from '../../domain/messages/release-message.ts';
import { releaseQuarantined } from '../../domain/messages/release-quarantined.ts';
import { signals } from '../../domain/messages/score-message.ts';
import type { Wired } from '../../server/wire.ts';
import { oneOf, readTime } from '../command.ts';
import { createProgress } from '../progress.ts';
import { count, fail, note, print } from '../say.ts';
import { askYes, canAsk } from '../terminal.ts';
import { type Call, readReferences, refuse } from './call.ts';

export async function release(wired: Wired, call: Call): Promise<void> {
  const { reason, since, yes } = call.values;
  if (reason !== undefined) {
    if (call.given.length > 0) refuse('release takes references, or --reason, but not both.');
    return releaseAll(wired, call, reason);
  }
  if (since !== undefined || yes) refuse('--since and --yes belong to release --reason.');
  if (call.given.length === 0) refuse('release takes a reference, or --reason.');
  const deps = depsOf(wired);
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

function depsOf({ store: { messages }, clock, receivers }: Wired) {
  return { messages, clock, receivers: receivers.map(({ name }) => name) };
}

/** All with one reason that are there by now: those that come while the question is read are not released unseen. */
async function releaseAll(wired: Wired, { values }: Call, reason: string): Promise<void> {
  if (!signals.some(signal => signal === reason)) {
    refuse(`There is no reason '${reason}': choose ${oneOf(signals.map(signal => `'${signal}'`))}.`);
  }
  const now = wired.clock.now();
  const since = values.since === undefined ? undefined : readTime('--since', values.since, now);
  const filter = { reason, ...(since && { since }), upTo: now.toISOString() };
  const found = await wired.store.messages.count({ ...filter, state: 'quarantined' });
  const which = `in quarantine with the reason '${reason}'${since ? ` that came since ${since}` : ''}`;
  if (found > 0 && !values.yes) {
    note(`There ${found === 1 ? 'is' : 'are'} ${count(found, 'message')} ${which}.`);
    if (!canAsk()) return fail('Nothing was released: there is nobody here to ask. Say --yes to release.');
    const names = wired.receivers.map(({ name }) => name).join(', ');
    if (!(await askYes(`Release, and send each to: ${names}?`))) return fail('Nothing was released.');
  }
  const progress = createProgress('messages released', found);
  const released = await releaseQuarantined({ ...depsOf(wired), onReleased: progress.draw }, filter);
  progress.clear();
  if (values.json) print({ reason, since: since ?? null, released });
  else if (found === 0) note(`There is no message ${which}.`);
  else note(`Let out and on their way: ${count(released, 'message')}.`);
}
