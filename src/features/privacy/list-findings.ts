import { relative } from 'node:path';
import type { PersonalData } from './search-personal-data.ts';

export type Finding = Record<'what' | 'reference' | 'state' | 'time' | 'where' | 'words', string>;

/** Everything that was found about a person, in one list. */
export function* listFindings(found: PersonalData, dataDir: string): Generator<Finding> {
  const { subscriber, signUps = [], mails = [] } = found.newsletter ?? {};
  for (const what of ['message', 'mention'] as const)
    for (const { reference, state, receivedAt: time, excerpt } of found[`${what}s`])
      yield { ...empty, what, reference, state, time, words: excerpt };
  for (const { reference, created_at: time, text: words } of found.notes)
    yield { ...empty, what: 'note', reference, time, words };
  for (const { reference, receiver, state, settled_at, created_at } of found.deliveries) {
    const where = `to ${receiver}`;
    yield { ...empty, what: 'delivery', reference, state, time: settled_at ?? created_at, where };
  }
  if (subscriber && subscriber.address !== null) {
    const { state, suppression_reason: reason, address: words } = subscriber;
    const time = subscriber.confirmed_at ?? subscriber.requested_at ?? subscriber.suppressed_at ?? '';
    yield { ...empty, what: 'newsletter', state: reason ? `${state} (${reason})` : state, time, words };
  }
  for (const { requested_at: time, form: words } of signUps) {
    yield { ...empty, what: 'sign-up', state: 'waiting', time, words };
  }
  for (const { kind, name, state, settled_at, created_at } of mails) {
    const what = kind === 'issue' ? 'newsletter mail' : 'confirmation mail';
    yield { ...empty, what, state, time: settled_at ?? created_at, words: name ?? '' };
  }
  for (const { reference, at } of found.notices)
    yield { ...empty, what: 'notice, mention', reference, time: at };
  for (const words of found.issues) yield { ...empty, what: 'newsletter issue, mention', words };
  for (const { domain: words, measuredAt: time } of found.reports)
    yield { ...empty, what: 'audit report, mention', time, words };
  for (const { kind, path, reference, at, belongsToPerson } of found.copies) {
    const what =
      belongsToPerson || kind === 'unmanaged file' ? copyLabels[kind] : `${copyLabels[kind]}, mention`;
    yield { ...empty, what, reference, time: at, where: relative(dataDir, path) || path };
  }
}

const empty: Finding = { what: '', reference: '', state: '', time: '', where: 'database', words: '' };

const copyLabels = {
  row: 'row',
  mail: 'mail',
  'temporary file': 'temporary file',
  'unmanaged file': 'your own file',
} as const;
