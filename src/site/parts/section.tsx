import type { ReactNode } from 'react';

export type World = 'ink' | 'paper' | 'mint';

type SectionProps = {
  world: World;
  /** What the section is called, by the id of its heading. */
  labelledBy?: string;
  needsReact?: boolean;
  children: ReactNode;
};

/** A full-width field of one world with the page's measure inside. */
export function Section({ world, labelledBy, needsReact = false, children }: SectionProps) {
  return (
    <section aria-labelledby={labelledBy} data-needs-react={needsReact ? '' : undefined} data-world={world}>
      <div className="mx-auto max-w-page px-5 py-section sm:px-8">{children}</div>
    </section>
  );
}

/** The small monospace line above a heading. */
export function Label({ children }: { children: ReactNode }) {
  return <p className="mb-4 font-mono text-xs tracking-[0.14em] text-accent uppercase">{children}</p>;
}

type PageTitleProps = { label: string; heading: string; lead?: string };

/** The opening of a reading page. Its h1 takes focus after a navigation. */
export function PageTitle({ label, heading, lead }: PageTitleProps) {
  return (
    <Section world="ink">
      <Label>{label}</Label>
      <h1 className="max-w-[18ch] text-[clamp(2.4rem,6vw,4.2rem)]" tabIndex={-1}>
        {heading}
      </h1>
      {lead ? <p className="mt-6 max-w-prose text-lg text-muted">{lead}</p> : null}
    </Section>
  );
}
