import { sample } from 'content:sample';
import { ColumnPlot } from '../../../ui/plots/column-plot.tsx';
import { PlotTable } from '../../../ui/plots/plot-table.tsx';
import { termClass } from './sample-report-section.tsx';

const { lead, plot, day, systems, done, days, lesson } = sample.incident;
const series = [{ name: systems, values: days.map(one => one.systems), tone: 'attention' as const }];

/** A column for each day: what is out of service, and what is back. Then what was done, day by day. */
export function IncidentWeek() {
  return (
    <>
      <p className="mb-8 max-w-reading text-lg">{lead}</p>
      <figure>
        <ColumnPlot isOfWhole labels={days.map(one => one.day)} series={series} />
        <div className="sr-only">
          <PlotTable columns={[day, systems]} rows={days.map(one => [one.day, one.systems])} title={plot} />
        </div>
        <figcaption aria-hidden="true" className="mt-3 font-mono text-xs text-muted">
          {plot}
        </figcaption>
      </figure>
      <h3 className={`${termClass} mt-8 mb-2`}>{done}</h3>
      <ol>
        {days.map(one => (
          <li className="grid grid-cols-[3.5rem_1fr] border-t border-hairline py-2" key={one.day}>
            <strong>{one.day}</strong>
            {one.done}
          </li>
        ))}
      </ol>
      <p className="mt-6 max-w-reading font-semibold">{lesson}</p>
    </>
  );
}
