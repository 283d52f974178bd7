import type { Figure, Measured } from '../../bench/figures.ts';
import { isWell, type Row } from './try-fault.ts';

export const columns = [
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

/** The cells of a row, as the table and the figures show them. */
export function cellsOf(row: Row): string[] {
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

/** For the page of figures: all rows, what each is known to lose and repeat, and what is worth knowing beside that. */
export function figuresOf(rows: readonly Row[]): Measured {
  const head = [columns, columns.map(() => '---')].map(cells => `| ${cells.join(' | ')} |`);
  const lines = rows.map(row => {
    const cells = cellsOf(row);
    return `| ${[...cells, ...columns.slice(cells.length).map(() => '')].join(' | ')} |`;
  });
  const tried = rows.flatMap(row => ('notRun' in row ? [] : [row]));
  const sum = (name: 'acknowledged' | 'lost' | 'repeated'): number[] => [
    tried.reduce((total, row) => total + (typeof row[name] === 'number' ? row[name] : row[name].length), 0),
  ];
  const figures: Figure[] = [
    { name: 'messages acknowledged', unit: '', values: sum('acknowledged'), better: 'higher' },
    { name: 'lost', unit: '', values: sum('lost'), better: 'lower', goal: '0' },
    { name: 'repeated', unit: '', values: sum('repeated'), better: 'lower', goal: '0' },
    {
      name: 'faults not run here',
      unit: '',
      values: [rows.length - tried.length],
      better: 'lower',
      goal: '0',
    },
  ];
  const remarks = tried.flatMap(row =>
    row.notes.map(note => `- ${row.family}: ${row.fault}, ${row.database}: ${note}`),
  );
  const parts = [[...head, ...lines].join('\n'), remarks.join('\n'), nameRuns(rows)];
  return { figures, markdown: parts.filter(Boolean).join('\n\n') };
}

/** What makes the same moments and choices again; not all rows need be of one run. */
function nameRuns(rows: readonly Row[]): string {
  const runs = Map.groupBy(rows, ({ seed, commit }) => `\`--seed ${seed}\` at commit ${commit}`);
  const named = [...runs].map(([run, { length }]) => `${run} (${length} ${length === 1 ? 'row' : 'rows'})`);
  return `The same again: ${named.join(', ')}.`;
}

const shown = 10;

function explain(row: Row): string[] {
  if ('notRun' in row) return [];
  const { lost, repeated, wrongs, notes, repeatedElsewhere } = row;
  const name = `${row.family}: ${row.fault}, ${row.database}`;
  const elsewhere = repeatedElsewhere > 0 ? [`${repeatedElsewhere} arrived again under the same id`] : [];
  const remarks = [...notes, ...elsewhere].map(note => `  ${name}: ${note}`);
  if (isWell(row)) return remarks;
  const list = (title: string, items: string[]) => [
    ...items.slice(0, shown).map(item => `  ${title} ${item}`),
    ...(items.length > shown ? [`  … and ${items.length - shown} more`] : []),
  ];
  return [
    ...remarks,
    `${name}: npm run test:faults -- --only '${row.family}: ${row.fault}' --seed ${row.seed}`,
    ...list('lost', lost),
    ...list('repeated', repeated),
    ...list('wrong', wrongs),
  ];
}
