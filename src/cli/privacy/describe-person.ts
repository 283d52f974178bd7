import { relative } from 'node:path';
import type { PersonalData } from '../../domain/privacy/search-personal-data.ts';
import type { Wired } from '../../server/wire.ts';
import { formatCount } from '../print.ts';
import { printTable } from '../table.ts';

export function printFindings(found: PersonalData, { config: { dataDir } }: Wired): void {
  printTable([...listRows(found, dataDir)]);
}

function* listRows(found: PersonalData, dataDir: string): Generator<typeof empty> {
  const { subscriber, signUps = [], letters = [] } = found.newsletter ?? {};
  for (const { reference, state, receivedAt: time, words } of found.messages) {
    yield { ...empty, what: 'message', reference, state, time, words };
  }
  for (const { reference, state, receivedAt: time, words } of found.mentions) {
    yield { ...empty, what: 'mention', reference, state, time, words };
  }
  for (const { reference, receiver, state, settled_at, created_at } of found.deliveries) {
    const where = `to the ${receiver}`;
    yield { ...empty, what: 'delivery', reference, state, time: settled_at ?? created_at, where };
  }
  if (subscriber && subscriber.address !== null) {
    const { state, suppressed_why: why, address: words } = subscriber;
    const time = subscriber.confirmed_at ?? subscriber.requested_at ?? subscriber.suppressed_at ?? '';
    yield { ...empty, what: 'newsletter', state: why ? `${state} (${why})` : state, time, words };
  }
  for (const { asked_at: time, form: words } of signUps) {
    yield { ...empty, what: 'newsletter request', state: 'waiting', time, words };
  }
  for (const { kind, name, state, settled_at, created_at } of letters) {
    const what = kind === 'issue' ? 'letter' : 'letter to confirm';
    yield { ...empty, what, state, time: settled_at ?? created_at, words: name ?? '' };
  }
  for (const { reference, at } of found.notices)
    yield { ...empty, what: 'notice, mention', reference, time: at };
  for (const words of found.issues) yield { ...empty, what: 'issue, mention', words };
  for (const { kind, place, reference, at, isTheirs } of found.copies) {
    const what = isTheirs || kind === 'file' ? copyLabels[kind] : `${copyLabels[kind]}, mention`;
    yield { ...empty, what, reference, time: at, where: relative(dataDir, place) || place };
  }
}

const empty = { what: '', reference: '', state: '', time: '', where: 'database', words: '' };

const copyLabels = { row: 'row', mail: 'mail', remains: 'remains', file: 'file of yours' } as const;

type Audit = PersonalData['audit'][number];

export function describeAudit({ action, done_at, counts }: Audit): string {
  const what = listCounts(JSON.parse(counts));
  const time = done_at.slice(0, 16).replace('T', ' ');
  return `${actionLabels[action]} on ${time}${what && `: ${what}`}.`;
}

const actionLabels: Record<Audit['action'], string> = {
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

function describeCount(name: string, number: number): string {
  if (name === 'newsletter') return 'the newsletter';
  return `${formatCount(number, nouns[name] ?? name)}${name === 'redacted' ? ' of others' : ''}`;
}

export function describeCounts(counts: Record<string, number>): string {
  return listCounts(counts) || 'nothing';
}

/** The audit may count more than has a name here. */
function listCounts(counts: Record<string, number>): string {
  return Object.entries(counts)
    .filter(([name, number]) => number > 0 && name in nouns)
    .map(([name, number]) => describeCount(name, number))
    .join(', ');
}
