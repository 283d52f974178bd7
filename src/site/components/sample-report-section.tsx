import sheet from 'content:sample/sheet';
import type { ReactNode } from 'react';
import { Logo } from './logo.tsx';
import { Section, SectionHeader } from './section.tsx';

type SamplePageProps = { heading: string; lead: string; children: ReactNode };

/** A section that shows one page of the sample report. */
export function SampleReportSection({ heading, lead, children }: SamplePageProps) {
  return (
    <Section isRaised labelledBy="sample" theme="paper">
      <SectionHeader heading={heading} id="sample" label={sheet.label} lead={lead} />
      <figure className="mt-8">
        <div className="sheet rounded-card border border-hairline bg-high">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-hairline px-6 py-4 sm:px-10">
            <Logo />
            <p className="font-mono text-xs tracking-[0.14em] uppercase">{sheet.report}</p>
            <p className="ml-auto rounded-field border-2 border-attention px-3 font-mono text-xs line-tall font-semibold tracking-[0.14em] text-attention uppercase">
              {sheet.stamp}
            </p>
          </div>
          {children}
        </div>
        <figcaption className="mt-4 text-sm text-muted">{sheet.note}</figcaption>
      </figure>
    </Section>
  );
}
