import { formatMoment } from '../../../lib/format-time.ts';
import { describeLogRow } from '../describe-log-row.ts';
import { type FoundPerson, isNothingFound, listRemoteCopies } from '../search-personal-data.ts';
import { type ListSource, listSections } from './list-sections.ts';

export async function readPerson(found: FoundPerson, source: ListSource) {
  const remote = await listRemoteCopies(found);
  return {
    sections: listSections(found, source),
    elsewhere: remote.map(({ label, destination, references }) => ({
      where: `${label} (${destination ?? 'no longer set up'})`,
      references,
    })),
    earlier: found.log.map(entry => {
      const { label, counts } = describeLogRow(entry);
      return {
        text: counts ? `${label}: ${counts}` : label,
        at: formatMoment(entry.done_at, source.now),
      };
    }),
    remarks: found.parts.flatMap(({ remark }) => remark?.desk ?? []),
    canExport: found.parts.some(({ canExport }) => canExport),
    canCorrect: found.parts.some(({ canCorrect }) => canCorrect),
    canErase: !isNothingFound(found),
  };
}
