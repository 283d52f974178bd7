import { sheet } from 'content:sample/sheet';
import type { ReactNode } from 'react';
import { Logo } from '../../../ui/components/logo.tsx';
import { PageLink } from '../../../ui/components/page-link.tsx';
import { Section, SectionHeader } from '../../../ui/components/section.tsx';
import { samplePath } from '../contract.ts';

type SamplePageProps = { heading: string; lead: string; children: ReactNode };

/** A section that shows one page of the sample report. */
export function SampleReportSection({ heading, lead, children }: SamplePageProps) {
  return (
    <Section isRaised labelledBy="sample" theme="paper">
      <SectionHeader heading={heading} id="sample" label={sheet.label} lead={lead} />
      <figure className="mt-8">
        <Sheet>{children}</Sheet>
        <figcaption className="mt-2 flex flex-wrap items-center gap-x-6 text-sm text-muted">
          {sheet.note}
          <PageLink
            className="inline-flex min-h-11 items-center font-semibold text-accent underline underline-offset-4"
            to={samplePath}
          >
            {sheet.link}
          </PageLink>
        </figcaption>
      </figure>
    </Section>
  );
}

export function Sheet({ page, children }: { page?: string; children: ReactNode }) {
  return (
    <div className="sheet rounded-card border border-hairline bg-high">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-2 sm:gap-x-4 border-b border-hairline px-6 py-4 sm:px-10">
        <Logo />
        <p className="capitals">{sheet.report}</p>
        {page ? <p className="font-mono text-xs text-muted">{page}</p> : null}
        <p className="ml-auto rounded-field border-2 border-attention px-3 capitals line-tall font-semibold tracking-[0.14em] text-attention">
          {sheet.stamp}
        </p>
      </div>
      {children}
    </div>
  );
}

export const termClass = 'capitals text-accent';
