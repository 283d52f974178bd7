import { revealControls } from '../../../lib/control-characters.ts';
import { formatMoment } from '../../../lib/format-time.ts';
import { type Finding, listFindings } from '../list-findings.ts';
import type { PersonalData } from '../search-personal-data.ts';

const ownFile = 'your own file';

type Section = { title: string; about?: string; labels: Record<string, string> };

/** In the order of the page, with the kinds of findings that each has, and their labels there. */
const sections: readonly Section[] = [
  { title: 'Messages from this person', labels: { message: '' } },
  { title: 'Messages from other people', about: 'They contain the address.', labels: { mention: '' } },
  { title: 'Your notes on their messages', labels: { note: '' } },
  { title: 'Where their messages were passed on', labels: { delivery: '' } },
  {
    title: 'Newsletter',
    labels: {
      newsletter: 'Subscription',
      'sign-up': 'Sign-up',
      'newsletter mail': 'Issue sent to them',
      'confirmation mail': 'Email that asks to confirm',
    },
  },
  { title: 'Notices to you that contain the address', labels: { 'notice, mention': '' } },
  { title: 'Newsletter issues that contain the address', labels: { 'newsletter issue, mention': '' } },
  {
    title: 'Reports of the free audit',
    about: 'They quote the address, which the domain publishes. The whole report is deleted.',
    labels: { 'audit report, mention': '' },
  },
  {
    title: 'Copies as files on this machine',
    labels: {
      row: 'Row of messages.csv',
      'row, mention': 'Row of messages.csv of another person that contains the address',
      mail: 'Email saved as a file',
      'mail, mention': 'Email saved as a file that contains the address',
      'temporary file': 'Temporary file',
      'temporary file, mention': 'Temporary file that contains the address',
      [ownFile]: 'A file of yours that contains the address',
    },
  },
];

/** What an erasure does not change. */
const kept = [ownFile, 'newsletter issue, mention'];

export function listSections(found: PersonalData, dataDir: string, now: Date) {
  return toSections([...listFindings(found, dataDir)], now);
}

/** Split by what an erasure does: removed, changed in other people's messages, and kept. */
export function listErasure(found: PersonalData, dataDir: string, now: Date) {
  const findings = [...listFindings(found, dataDir)];
  const isKept = ({ what }: Finding) => kept.includes(what);
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

function toSections(findings: Finding[], now: Date) {
  const grouped = Map.groupBy(findings, ({ what }) => findSection(what));
  return sections.flatMap(section => {
    const { title, about = '', labels } = section;
    const lines = grouped.get(section)?.map(one => toLine(one, now, labels[one.what]));
    return lines ? [{ title, about, lines }] : [];
  });
}

/** Every copy that has no other place is a file. */
function findSection(what: string): Section | undefined {
  return sections.find(({ labels }) => Object.hasOwn(labels, what)) ?? sections.at(-1);
}

function toLine({ reference, state, time, where, words }: Finding, now: Date, label = '') {
  return {
    label,
    reference,
    state,
    words: revealControls(words),
    at: time ? formatMoment(time, now) : null,
    where: where === 'database' ? '' : revealControls(where),
  };
}
