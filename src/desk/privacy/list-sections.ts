import { type Finding, listFindings } from '../../domain/privacy/list-findings.ts';
import type { PersonalData } from '../../domain/privacy/search-personal-data.ts';
import { revealControls } from '../../lib/control-characters.ts';
import { formatMoment } from '../format-time.ts';

type Place =
  | 'messages'
  | 'mentions'
  | 'notes'
  | 'passedOn'
  | 'newsletter'
  | 'notices'
  | 'issues'
  | 'reports'
  | 'files';

/** What an erasure does not change. */
const keptPlaces: readonly Place[] = ['issues'];

const places: Record<Place, { title: string; about: string }> = {
  messages: { title: 'Messages from this person', about: '' },
  mentions: { title: 'Messages from other people', about: 'They contain the address.' },
  notes: { title: 'Your notes on their messages', about: '' },
  passedOn: { title: 'Where their messages were passed on', about: '' },
  newsletter: { title: 'Newsletter', about: '' },
  notices: { title: 'Notices to you that contain the address', about: '' },
  issues: { title: 'Newsletter issues that contain the address', about: '' },
  reports: {
    title: 'Reports of the free audit',
    about: 'They quote the address, which the domain publishes. The whole report is deleted.',
  },
  files: { title: 'Copies as files on this machine', about: '' },
};

const placeOf: Record<string, Place> = {
  message: 'messages',
  mention: 'mentions',
  note: 'notes',
  delivery: 'passedOn',
  newsletter: 'newsletter',
  'sign-up': 'newsletter',
  'newsletter mail': 'newsletter',
  'confirmation mail': 'newsletter',
  'notice, mention': 'notices',
  'newsletter issue, mention': 'issues',
  'audit report, mention': 'reports',
};

export const ownFile = 'your own file';

const labels: Record<string, string> = {
  newsletter: 'Subscription',
  'sign-up': 'Sign-up',
  'newsletter mail': 'Issue sent to them',
  'confirmation mail': 'Email that asks to confirm',
  row: 'Row of messages.csv',
  'row, mention': 'Row of messages.csv of another person that contains the address',
  mail: 'Email saved as a file',
  'mail, mention': 'Email saved as a file that contains the address',
  'temporary file': 'Temporary file',
  'temporary file, mention': 'Temporary file that contains the address',
  [ownFile]: 'A file of yours that contains the address',
};

export function listSections(found: PersonalData, dataDir: string, now: Date) {
  return toSections([...listFindings(found, dataDir)], now);
}

/** Split by what an erasure does: removed, changed in other people's messages, and kept. */
export function listErasure(found: PersonalData, dataDir: string, now: Date) {
  const findings = [...listFindings(found, dataDir)];
  const isKept = ({ what }: Finding) => what === ownFile || keptPlaces.includes(getPlace(what));
  const isMention = ({ what }: Finding) => what === 'mention';
  return {
    erased: toSections(
      findings.filter(one => !isKept(one) && !isMention(one)),
      now,
    ),
    mentions: findings.filter(isMention).map(one => toLine(one, now)),
    kept: toSections(findings.filter(isKept), now),
  };
}

function getPlace(what: string): Place {
  return placeOf[what] ?? 'files';
}

function toSections(findings: Finding[], now: Date) {
  const grouped = Map.groupBy(findings, ({ what }) => getPlace(what));
  return (Object.keys(places) as Place[]).flatMap(place => {
    const lines = grouped.get(place)?.map(one => toLine(one, now));
    return lines ? [{ ...places[place], lines }] : [];
  });
}

function toLine({ what, reference, state, time, where, words }: Finding, now: Date) {
  return {
    label: labels[what] ?? '',
    ...{ reference, state, words: revealControls(words) },
    at: time ? formatMoment(time, now) : null,
    where: where === 'database' ? '' : revealControls(where),
  };
}
