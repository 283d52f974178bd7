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

/** One figure for each database: what went wrong of all that was tried. The rows are in the result. */
export function sumRows(rows: readonly Row[]): Figure[] {
  const figures = [...Map.groupBy(rows, ({ database }) => database)].map(([database, tried]) => {
    const run = tried.flatMap(row => ('notRun' in row ? [] : [row]));
    const acknowledged = run.reduce((sum, row) => sum + row.acknowledged, 0).toLocaleString('en-GB');
    const families = new Set(run.map(({ family }) => family)).size;
    return {
      name: `${database}, ${run.length} faults of ${families} families, ${acknowledged} messages acknowledged: lost, repeated or otherwise wrong`,
      values: [
        run.reduce(
          (sum, { lost, repeated, problems }) => sum + lost.length + repeated.length + problems.length,
          0,
        ),
      ],
      goal: '0',
    };
  });
  const notRun = rows.filter(row => 'notRun' in row).length;
  return [...figures, { name: 'faults not run here', values: [notRun], goal: '0' }];
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
