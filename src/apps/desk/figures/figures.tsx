import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { FigureSection } from './figure-section.tsx';
import type { FiguresProps } from './props.ts';

export function Figures({ weeks, periods, figures }: FiguresProps) {
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
