import type { Finding, FindingSection } from '../../../core/personal-data.ts';
import { revealControls } from '../../../lib/control-characters.ts';
import { formatMoment } from '../../../lib/format-time.ts';
import { listFindings } from '../list-findings.ts';
import type { FoundPerson } from '../search-personal-data.ts';

const ownFile = 'your own file';

const filesSection: FindingSection = {
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
};

export type ListSource = { sections: readonly FindingSection[]; dataDir: string; now: Date };

export function listSections(found: FoundPerson, { sections, dataDir, now }: ListSource) {
  return toSections([...listFindings(found, dataDir)], sections, now);
}

/** Split by what an erasure does: removed, changed in other people's messages, and kept. */
export function listErasure(found: FoundPerson, { sections, dataDir, now }: ListSource) {
  const findings = [...listFindings(found, dataDir)];
  const by = Object.groupBy(findings, one =>
    one.what === ownFile ? 'kept' : (findSection(sections, one)?.erasure ?? 'erased'),
  );
  return {
    erased: toSections(by.erased ?? [], sections, now),
    mentions: (by.redacted ?? []).map(one => toLine(one, now)),
    kept: toSections(by.kept ?? [], sections, now),
  };
}

function toSections(findings: readonly Finding[], sections: readonly FindingSection[], now: Date) {
  const grouped = Map.groupBy(findings, one => findSection(sections, one) ?? filesSection);
  return [...sections, filesSection].flatMap(section => {
    const { title, about = '', labels } = section;
    const lines = grouped.get(section)?.map(one => toLine(one, now, labels[one.what]));
    return lines ? [{ title, about, lines }] : [];
  });
}

function findSection(sections: readonly FindingSection[], { what }: Finding): FindingSection | undefined {
  return sections.find(({ labels }) => Object.hasOwn(labels, what));
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
