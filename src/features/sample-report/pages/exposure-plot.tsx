import { exposure } from 'content:sample/exposure';
import { ColumnPlot } from '../../../ui/plots/column-plot.tsx';
import { PlotTable } from '../../../ui/plots/plot-table.tsx';

const { title, week, open, weeks } = exposure;

/** The name of a step stands below its first week. */
const labels = weeks.map(({ step }, index) => (step === weeks[index - 1]?.step ? '' : step));

export function Component() {
  return (
    <figure className="mt-10 max-w-[30rem] max-lg:mt-8">
      <ColumnPlot
        height={110}
        labels={labels}
        series={[{ name: open, values: weeks.map(one => one.open), tone: 'accent' }]}
      />
      <div className="sr-only">
        <PlotTable
          columns={[week, open]}
          rows={weeks.map((one, index) => [`${index + 1} (${one.step})`, one.open])}
          title={title}
        />
      </div>
      <figcaption aria-hidden="true" className="mt-2 font-mono text-xs text-muted">
        {title}
      </figcaption>
    </figure>
  );
}
