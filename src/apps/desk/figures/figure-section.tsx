import type { Figure } from '../../../core/figures/figure.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { DisclosureMark } from '../../../ui/desk/disclosure-mark.tsx';
import { ColumnPlot, PlotLegend, type PlotSeries } from '../../../ui/plots/column-plot.tsx';
import { PlotTable } from '../../../ui/plots/plot-table.tsx';

export function FigureSection({ figure, weeks }: { figure: Figure; weeks: number }) {
  const { id, title, summary, sentence, columns, rows } = figure;
  return (
    <section
      aria-labelledby={`${id}-title`}
      className="flex break-inside-avoid flex-col rounded-field border border-hairline bg-raised p-4"
      id={id}
    >
      <h2 className="text-lg" id={`${id}-title`}>
        {title}
      </h2>
      {rows.length === 0 ? (
        <p className="mt-1">None in this period.</p>
      ) : (
        <>
          <p className="mt-1 font-semibold">{summary}</p>
          <p className="mt-1 mb-4 text-sm text-muted">{sentence}</p>
          <Plot figure={figure} />
          <div className="relative mt-auto pt-2 text-sm">
            <details className="group">
              <summary className="desk-target flex w-fit cursor-pointer items-center gap-2 pr-3 font-semibold text-accent">
                <DisclosureMark />
                Table
              </summary>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
              <div aria-label={`Table: ${title}`} className={tableClass} role="region" tabIndex={0}>
                <PlotTable columns={columns} rows={rows} title={title} />
              </div>
            </details>
            <a
              aria-label={`CSV for a spreadsheet: ${title}`}
              className="desk-target absolute top-2 right-0 inline-flex items-center font-semibold text-accent underline print:hidden"
              download
              href={deskUrl(`/figures/${id}.csv?weeks=${weeks}`)}
            >
              CSV for a spreadsheet
            </a>
          </div>
        </>
      )}
    </section>
  );
}

const tones = ['accent', 'attention', 'muted'] as const;

function Plot({ figure: { columns, rows, drawn, isWeekly } }: { figure: Figure }) {
  const names = rows.map(([name]) => String(name));
  const series = drawn.map((column, index): PlotSeries => {
    const values = rows.map(row => Number(row[column]));
    return { name: columns[column] ?? '', values, tone: tones[index] ?? 'muted' };
  });
  return (
    <>
      <ColumnPlot labels={isWeekly ? labelWeeks(names) : names} series={series} />
      {series.length > 1 ? <PlotLegend series={series} /> : null}
    </>
  );
}

/** The first and last week, and two between: as many as fit on a phone. */
function labelWeeks(weeks: string[]): string[] {
  const last = weeks.length - 1;
  const shown = [0, 1, 2, 3].map(third => Math.round((third * last) / 3));
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    month: 'short',
    ...(weeks.length > 52 ? { year: 'numeric' } : { day: 'numeric' }),
  });
  return weeks.map((week, index) => (shown.includes(index) ? format.format(new Date(week)) : ''));
}

const tableClass =
  'max-h-96 overflow-auto tabular-nums [&_table]:w-full [&_td]:px-2 [&_td]:py-1 [&_td]:text-right [&_th]:py-1 [&_th]:pr-2 [&_th]:text-left [&_tbody_th]:font-normal [&_tbody_th]:whitespace-nowrap [&_tbody_tr]:border-t [&_tbody_tr]:border-hairline [&_thead_th]:sticky [&_thead_th]:top-0 [&_thead_th]:bg-raised [&_thead_th:not(:first-child)]:text-right';
