import { relative } from 'node:path';
import type { Findings } from '../../domain/privacy/find-person.ts';
import type { Wired } from '../../server/wire.ts';
import { count } from '../say.ts';
import { printTable } from '../table.ts';

/** What is where, a line for each thing. */
export function printFindings(found: Findings, { config: { dataDir } }: Wired): void {
  const file = (place: string) => relative(dataDir, place) || place;
  const { subscriber } = found.newsletter ?? {};
  printTable(
    ['what', 'reference', 'state', 'time', 'where', 'words'],
    [
      ...found.messages.map(one => messageLine('message', one)),
      ...found.mentions.map(one => messageLine('mention', one)),
      ...found.deliveries.map(({ reference, receiver, state, settled_at, created_at }) => [
        'delivery',
        reference,
        state,
        settled_at ?? created_at,
        `to the ${receiver}`,
        '',
      ]),
      ...(subscriber && subscriber.address !== null
        ? [
            [
              'newsletter',
              '',
              subscriber.suppressed_why
                ? `${subscriber.state} (${subscriber.suppressed_why})`
                : subscriber.state,
              subscriber.confirmed_at ?? subscriber.requested_at ?? subscriber.suppressed_at ?? '',
              'database',
              subscriber.address,
            ],
          ]
        : []),
      ...(found.newsletter?.signUps ?? []).map(({ asked_at, form }) => [
        'newsletter request',
        '',
        'waiting',
        asked_at,
        'database',
        form,
      ]),
      ...(found.newsletter?.letters ?? []).map(({ kind, name, state, settled_at, created_at }) => [
        kind === 'issue' ? 'letter' : 'letter to confirm',
        '',
        state,
        settled_at ?? created_at,
        'database',
        name ?? '',
      ]),
      ...found.notices.map(({ reference, at }) => ['notice, mention', reference, '', at, 'database', '']),
      ...found.issues.map(name => ['issue, mention', '', '', '', 'database', name]),
      ...found.copies.map(({ kind, place, reference, at, isTheirs }) => [
        isTheirs || kind === 'file' ? copyNames[kind] : `${copyNames[kind]}, mention`,
        reference,
        '',
        at,
        file(place),
        '',
      ]),
    ],
  );
}

const copyNames = { row: 'row', mail: 'mail', remains: 'remains', file: 'file of yours' } as const;

function messageLine(
  what: string,
  { reference, state, receivedAt, words }: Findings['messages'][number],
): string[] {
  return [what, reference, state, receivedAt, 'database', words];
}

type Audit = Findings['audit'][number];

/** 'Erased on 2026-11-15 09:30: 2 messages, 1 mail.' */
export function describeAudit({ action, done_at, counts }: Audit): string {
  const what = listCounts(JSON.parse(counts));
  const time = done_at.slice(0, 16).replace('T', ' ');
  return `${deeds[action]} on ${time}${what && `: ${what}`}.`;
}

const deeds: Record<Audit['action'], string> = {
  erase: 'Erased',
  'erase-newsletter': 'Erased from the newsletter',
  'erase-message': 'Erased as a message',
  rectify: 'Put right',
  export: 'Exported',
};

const nouns: Record<string, string> = {
  messages: 'message',
  mentions: 'mention',
  newsletter: 'newsletter',
  rows: 'row',
  redacted: 'row',
  mails: 'mail',
  remains: 'remnant',
};

/** '2 messages', 'the newsletter', '1 row of others' */
function say(name: string, number: number): string {
  if (name === 'newsletter') return 'the newsletter';
  return `${count(number, nouns[name] ?? name)}${name === 'redacted' ? ' of others' : ''}`;
}

/** What was done, in the same words. */
export function describeCounts(counts: Record<string, number>): string {
  return listCounts(counts) || 'nothing';
}

/** Of what has a name here: the audit may count more. */
function listCounts(counts: Record<string, number>): string {
  return Object.entries(counts)
    .filter(([name, number]) => number > 0 && name in nouns)
    .map(([name, number]) => say(name, number))
    .join(', ');
}
