import type { ComponentType } from 'react';
import type { Figure, PlotKind } from '../../domain/figures/figure.ts';
import { DisclosureMark } from '../components/disclosure-mark.tsx';
import { deskUrl } from '../desk-url.ts';
import { BarPlot } from './bar-plot.tsx';
import { FigureTable } from './figure-table.tsx';
import { LinePlot } from './line-plot.tsx';
import { MultiplesPlot } from './multiples-plot.tsx';
import { RangePlot } from './range-plot.tsx';
import { StackPlot } from './stack-plot.tsx';

const plots: Record<PlotKind, ComponentType<{ figure: Figure }>> = {
  stack: StackPlot,
  part: StackPlot,
  line: LinePlot,
  bars: BarPlot,
  multiples: MultiplesPlot,
  range: RangePlot,
};

export function FigureSection({ figure, weeks }: { figure: Figure; weeks: number }) {
  const { id, title, sentence, rows, plot } = figure;
  const Plot = plots[plot.kind];
  return (
    <section
      aria-labelledby={`${id}-title`}
      className="flex break-inside-avoid flex-col rounded-field border border-hairline bg-raised p-4 last:odd:lg:col-span-2"
      id={id}
    >
      <h2 className="text-lg" id={`${id}-title`}>
        {title}
      </h2>
      <p className="mt-1 text-sm text-muted">{sentence}</p>
      {rows.length === 0 ? (
        <p className="mt-4">None in this period.</p>
      ) : (
        <>
          <div className="mt-4">
            <Plot figure={figure} />
          </div>
          <div className="relative mt-auto pt-2 text-sm">
            <details className="group">
              <summary className="desk-target flex w-fit cursor-pointer items-center gap-2 pr-3 font-semibold text-accent">
                <DisclosureMark />
                Table
              </summary>
              <FigureTable figure={figure} />
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
