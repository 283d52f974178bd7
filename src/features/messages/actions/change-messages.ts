import * as v from 'valibot';
import {
  actionsNeeding,
  type DepsOf,
  field,
  optional,
  type Printed,
  reference,
  since,
} from '../../../core/action.ts';
import type { Receiver } from '../../../core/outbox/delivery.ts';
import { parseMailHeaderAddress } from '../../../lib/email-address.ts';
import { formatCount } from '../../../lib/format-count.ts';
import { addNote, noteText } from '../add-note.ts';
import { type ChangeResult, changeMessage, releaseQuarantined } from '../change-messages.ts';
import { createReplyUrl } from '../create-reply-url.ts';
import { countQuarantined } from '../read-inbox.ts';
import { signals } from '../score-message.ts';
import { type ChangeName, isHeldBack } from '../states.ts';
import { describeUnknown } from './read-messages.ts';

const defineAction = actionsNeeding<{
  domainDeps: DepsOf<
    typeof changeMessage | typeof addNote | typeof releaseQuarantined | typeof countQuarantined
  >;
  receivers: readonly Pick<Receiver, 'name'>[];
}>();

/** What is said of a message that was changed, and of one whose state does not allow it. */
const words: Record<ChangeName, { done: string; note: string; refused: string }> = {
  answer: { done: 'answered', note: 'marked as answered', refused: 'not answered' },
  close: { done: 'closed', note: 'closed', refused: 'not closed' },
  reopen: { done: 'reopened', note: 'reopened', refused: 'not reopened' },
  spam: {
    done: 'marked',
    note: 'marked as spam; pending deliveries are cancelled',
    refused: 'not marked as spam',
  },
  release: {
    done: 'released',
    note: 'released; its deliveries are queued',
    refused: 'is not in quarantine or spam',
  },
};

function describeChange(name: ChangeName, change: ChangeResult): Printed {
  const { reference } = change;
  if (change.kind === 'unknown') return describeUnknown(reference);
  const { done, note, refused } = words[name];
  if (change.kind === 'changed') return `${reference} ${note}`;
  const { state } = change.message;
  if (state === done) return { error: `${reference} is already ${done}` };
  const isRefusedUntilReleased = name !== 'spam' && isHeldBack(state);
  const hint = isRefusedUntilReleased ? `. To accept it first: npm run inbox -- release ${reference}` : '';
  return { error: `${reference} ${refused}; its state is ${state}${hint}` };
}

/** Errors first. */
function describeChanges(name: ChangeName, changes: readonly ChangeResult[]): Printed[] {
  const isChanged = ({ kind }: ChangeResult) => Number(kind === 'changed');
  return changes
    .toSorted((one, other) => isChanged(one) - isChanged(other))
    .map(change => describeChange(name, change));
}

export async function changeEach(
  { domainDeps }: { domainDeps: DepsOf<typeof changeMessage> },
  name: ChangeName,
  references: readonly string[],
): Promise<ChangeResult[]> {
  const changes: ChangeResult[] = [];
  for (const one of new Set(references)) changes.push(await changeMessage(domainDeps, name, one));
  return changes;
}

function listChanged(changes: readonly ChangeResult[]): string[] {
  return changes.filter(({ kind }) => kind === 'changed').map(({ reference }) => reference);
}

const sample = '7X4QM-2KD9A';
const oneReference = field('<reference>', 'reference of the message', reference);
const references = field('<reference...>', 'references of messages', v.array(reference));

const defineChange = (change: ChangeName, name: string, about: string) =>
  defineAction({
    name,
    about,
    examples: [sample],
    opens: 'database',
    input: v.object({ references }),
    run: (services, input) => changeEach(services, change, input.references),
    print: changes => describeChanges(change, changes),
    json: changes => ({ [words[change].done]: listChanged(changes) }),
  });

export const close = defineChange('close', 'close', 'mark messages as done');
export const reopen = defineChange('reopen', 'reopen', 'mark answered or closed messages as new again');
export const markSpam = defineChange(
  'spam',
  'mark-spam',
  'mark messages as spam, and cancel pending deliveries',
);

export const answer = defineAction({
  name: 'answer',
  about: 'mark a message as answered, and print who to reply to',
  examples: [sample],
  opens: 'database',
  input: v.object({
    reference: oneReference,
    note: optional('--note <text>', 'also add a note', noteText),
  }),
  run: ({ domainDeps }, { reference, note }) => changeMessage(domainDeps, 'answer', reference, note),
  print(change) {
    if (change.kind !== 'changed') return [describeChange('answer', change)];
    const { reference, email } = change.message;
    const url = createReplyUrl({ reference, email });
    return [
      describeChange('answer', change),
      url
        ? `Reply to: ${url}`
        : `The visitor gave no email address. Is there a phone number in the message? npm run inbox -- show ${reference}`,
    ];
  },
  json: ({ reference, ...change }) =>
    change.kind === 'changed'
      ? { reference, state: 'answered', replyTo: parseMailHeaderAddress(change.message.email.trim()) ?? null }
      : undefined,
});

export const note = defineAction({
  name: 'note',
  about: 'add a note that only you see',
  examples: [`${sample} "Called, will decide on Friday"`],
  opens: 'database',
  input: v.object({
    reference: oneReference,
    text: field(
      '<text...>',
      'the note',
      v.pipe(
        v.array(v.string()),
        v.transform(given => given.join(' ')),
        noteText,
      ),
    ),
  }),
  run: ({ domainDeps }, { reference, text }) => addNote(domainDeps, reference, text),
  print: (added, { reference }) => [added ? `Note added to ${reference}` : describeUnknown(reference)],
});

/** Messages that arrive while the question is open are not released. */
export const release = defineAction({
  name: 'release',
  about: 'release messages from quarantine or spam, and deliver them',
  examples: ['B9TRC-4HE2W', '--reason flood --since 2026-11-01T09:30Z'],
  input: v.pipe(
    v.object({
      references: field('[reference...]', 'references of messages', v.array(reference)),
      reason: optional('--reason <name>', 'all in quarantine for this reason', v.picklist(signals)),
      since,
      upTo: v.optional(v.pipe(v.string(), v.isoTimestamp()), () => new Date().toISOString()),
    }),
    v.check(
      ({ references, reason }) => reason === undefined || references.length === 0,
      'release takes either references or --reason, not both',
    ),
    v.check(
      ({ reason, since }) => reason !== undefined || since === undefined,
      '--since can only be used with --reason',
    ),
    v.check(
      ({ references, reason }) => reason !== undefined || references.length > 0,
      'release requires a reference or --reason',
    ),
  ),
  async confirm({ domainDeps, receivers }, { reason, since, upTo }) {
    const found =
      reason === undefined ? 0 : await countQuarantined(domainDeps, toFilter({ reason, since, upTo }));
    const names = receivers.map(({ name }) => name).join(', ');
    return {
      shows: [found > 0 && `${formatCount(found, 'message')} ${describeHeld(reason, since)}`],
      text: found > 0 ? `Release them and deliver each to ${names}?` : undefined,
      otherwise: 'Nothing was released',
    };
  },
  run: async (services, { references, reason, ...period }) =>
    reason === undefined
      ? changeEach(services, 'release', references)
      : releaseQuarantined(services.domainDeps, toFilter({ reason, ...period })),
  print(result, { reason, since }) {
    if (typeof result !== 'number') return describeChanges('release', result);
    return [
      result === 0
        ? `No messages ${describeHeld(reason, since)}`
        : `${formatCount(result, 'message')} released; their deliveries are queued`,
    ];
  },
  json: (result, { reason, since = null }) =>
    typeof result === 'number' ? { reason, since, released: result } : { released: listChanged(result) },
});

type Held = { reason: string; since?: string | undefined; upTo: string };

function toFilter({ since, ...filter }: Held) {
  return { ...filter, ...(since && { since }) };
}

function describeHeld(reason = '', since = ''): string {
  return `in quarantine with the reason '${reason}'${since && `, received since ${since}`}`;
}
