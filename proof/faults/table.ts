import { Console } from 'node:console';
import { PassThrough } from 'node:stream';
import type { Figure } from '../figures.ts';
import { hasPassed, type Row } from './try-fault.ts';

function toColumns(row: Row): Record<string, string | number> {
  const about = { fault: `${row.family}: ${row.fault}`, database: row.database };
  if ('notRun' in row) return { ...about, tries: `not run: ${row.notRun}` };
  const { tries, sent, acknowledged, stored, delivered, lost, repeated, longestUnavailableMs } = row;
  const counts = {
    tries,
    sent,
    acknowledged,
    stored,
    delivered,
    lost: lost.length,
    repeated: repeated.length,
  };
  return { ...about, ...counts, 's unavailable at most': Number((longestUnavailableMs / 1000).toFixed(1)) };
}

/** The table, and below it what was wrong, with the command that tries it again. */
export function formatTable(rows: readonly Row[]): string {
  const table = new PassThrough({ encoding: 'utf8' });
  new Console(table).table(rows.map(toColumns));
  return [table.read().trimEnd(), ...rows.flatMap(explain)].join('\n');
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
