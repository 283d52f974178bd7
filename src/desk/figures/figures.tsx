import { deskUrl } from '../desk-url.ts';
import { FigureSection } from './figure-section.tsx';
import type { FiguresProps } from './props.ts';

export function Figures({ weeks, periods, highlights, figures }: FiguresProps) {
  return (
    <div className="max-w-[72rem]">
      <nav aria-label="Period" className="flex flex-wrap gap-1 print:hidden">
        {periods.map(period => (
          <a
            aria-current={period.weeks === weeks ? 'true' : undefined}
            className="desk-target inline-flex items-center rounded-field border border-hairline px-3 text-sm hover:border-accent aria-[current]:border-accent aria-[current]:font-semibold aria-[current]:text-accent"
            href={deskUrl(`/figures?weeks=${period.weeks}`)}
            key={period.weeks}
          >
            {period.text}
          </a>
        ))}
      </nav>
      <dl className="mt-4 grid grid-cols-2 gap-px overflow-hidden rounded-field border border-hairline bg-hairline sm:grid-cols-3 lg:grid-cols-5">
        {highlights.map(({ label, value }) => (
          <div
            className="flex flex-col-reverse justify-end bg-raised px-4 py-3 last:col-span-2 lg:last:col-span-1"
            key={label}
          >
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="text-2xl font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-4 grid gap-4 lg:grid-cols-2">
        {figures.map(figure => (
          <FigureSection figure={figure} key={figure.id} weeks={weeks} />
        ))}
      </div>
      <p className="mt-4 text-sm text-muted">
        Weeks begin on Monday, in UTC; the present one is not over yet. How often a newsletter is opened is
        not measured: its emails contain nothing that could tell.
      </p>
    </div>
  );
}
