import type { Figure } from '../figures.ts';
import { hasPassed, type Row } from './try-fault.ts';

const columns = [
  'fault',
  'database',
  'tries',
  'sent',
  'acknowledged',
  'stored',
  'delivered',
  'lost',
  'repeated',
  'longest unavailability',
] as const;

function cellsOf(row: Row): string[] {
  const about = [`${row.family}: ${row.fault}`, row.database];
  if ('notRun' in row) return [...about, `not run: ${row.notRun}`];
  const { tries, sent, acknowledged, stored, delivered, lost, repeated, longestUnavailableMs } = row;
  const counts = [tries, sent, acknowledged, stored, delivered, lost.length, repeated.length];
  return [
    ...about,
    ...counts.map(count => count.toLocaleString('en-GB')),
    `${(longestUnavailableMs / 1000).toFixed(1)} s`,
  ];
}

/** The table, and below it what was wrong, with the command that tries it again. */
export function formatTable(rows: readonly Row[]): string {
  const lines = [[...columns] as string[], ...rows.map(cellsOf)];
  // What was not run has its reason where the others have numbers.
  const widths = columns.map((_, at) => {
    const those = lines.filter(({ length }) => at < 2 || length === columns.length);
    return Math.max(...those.map(cells => cells[at]?.length ?? 0));
  });
  const table = lines.map(cells =>
    cells
      .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return [...table, ...rows.flatMap(explain)].join('\n');
}

export function sumRows(rows: readonly Row[]): Figure[] {
  const tried = rows.flatMap(row => ('notRun' in row ? [] : [row]));
  const sum = (count: (row: (typeof tried)[number]) => number) => [
    tried.reduce((total, row) => total + count(row), 0),
  ];
  return [
    { name: 'faults tried', values: [tried.length] },
    { name: 'faults not run here', values: [rows.length - tried.length], goal: '0' },
    { name: 'tries', values: sum(({ tries }) => tries) },
    { name: 'messages acknowledged', values: sum(({ acknowledged }) => acknowledged) },
    { name: 'lost', values: sum(({ lost }) => lost.length), goal: '0' },
    { name: 'repeated', values: sum(({ repeated }) => repeated.length), goal: '0' },
    {
      name: 'longest unavailability',
      unit: 's',
      values: tried.map(({ longestUnavailableMs }) => longestUnavailableMs / 1000),
    },
  ];
}

const shown = 10;

function explain(row: Row): string[] {
  if ('notRun' in row) return [];
  const { lost, repeated, problems, notes, repeatedElsewhere } = row;
  const name = `${row.family}: ${row.fault}, ${row.database}`;
  const elsewhere = repeatedElsewhere > 0 ? [`${repeatedElsewhere} arrived again under the same id`] : [];
  const remarks = [...notes, ...elsewhere].map(note => `  ${name}: ${note}`);
  if (hasPassed(row)) return remarks;
  const list = (title: string, items: string[]) => [
    ...items.slice(0, shown).map(item => `  ${title} ${item}`),
    ...(items.length > shown ? [`  … and ${items.length - shown} more`] : []),
  ];
  return [
    ...remarks,
    `${name}: npm run proof -- faults --only '${row.family}: ${row.fault}' --seed ${row.seed}`,
    ...list('lost', lost),
    ...list('repeated', repeated),
    ...list('wrong', problems),
  ];
}
