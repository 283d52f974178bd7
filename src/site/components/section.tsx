import site from 'content:site';
import type { ReactNode } from 'react';
import { Illustration } from './illustration.tsx';
import { PageLink } from './page-link.tsx';

export type Theme = 'ink' | 'paper' | 'mint';

type SectionProps = {
  theme: Theme;
  labelledBy?: string;
  isRaised?: boolean;
  needsReact?: boolean;
  children: ReactNode;
};

export function Section({ theme, labelledBy, isRaised, needsReact, children }: SectionProps) {
  return (
    <section
      aria-labelledby={labelledBy}
      className={isRaised ? 'bg-raised' : undefined}
      data-needs-react={needsReact ? '' : undefined}
      data-theme={theme}
    >
      <div className="enter mx-auto max-w-page px-5 py-section sm:px-8">{children}</div>
    </section>
  );
}

export function Eyebrow({
  isPlain = false,
  children,
}: {
  isPlain?: boolean | undefined;
  children: ReactNode;
}) {
  return <p className={`mb-4 font-mono text-accent ${isPlain ? 'text-sm' : capitals}`}>{children}</p>;
}

/** For the eye: the list itself tells screen readers the position. */
export function StepNumber({ of, className = '' }: { of: number; className?: string }) {
  return (
    <span aria-hidden="true" className={`font-mono text-xs tracking-normal text-accent ${className}`}>
      {String(of).padStart(2, '0')}
    </span>
  );
}

type PageHeaderProps = {
  label: string;
  hasPlainLabel?: boolean;
  heading: string;
  lead?: string;
  illustration?: string;
  links?: { id: string; title: string }[];
  children?: ReactNode;
};

export function PageHeader(props: PageHeaderProps) {
  const { label, hasPlainLabel, heading, lead, illustration, links = [], children } = props;
  return (
    <section className="page-header" data-theme="ink">
      {illustration ? (
        <Illustration className="page-header-illustration" isBackground name={illustration} />
      ) : null}
      <div className="enter mx-auto max-w-page px-5 py-hero sm:px-8">
        <Eyebrow isPlain={hasPlainLabel}>{label}</Eyebrow>
        <h1 className="max-w-[12.2em] text-[clamp(min(2.4rem,15vw),6vw,4.2rem)]" tabIndex={-1}>
          {heading}
        </h1>
        {lead ? <p className="mt-6 max-w-[30.6em] text-lg text-muted">{lead}</p> : null}
        {links.length > 0 ? (
          <nav aria-label={site.contents} className="mt-8 print:hidden">
            <ul className="gap-x-7 sm:flex sm:flex-wrap">
              {links.map(({ id, title }) => (
                <li key={id}>
                  <PageLink className={jumpLinkClass} to={`#${id}`}>
                    {title}
                  </PageLink>
                </li>
              ))}
            </ul>
          </nav>
        ) : null}
        {children ? <div className="mt-8">{children}</div> : null}
      </div>
    </section>
  );
}

export function SectionHeader({
  id,
  label,
  heading,
  lead,
}: {
  id: string;
  label?: string;
  heading: string;
  lead?: string;
}) {
  return (
    <div>
      {label ? <Eyebrow>{label}</Eyebrow> : null}
      <h2 className="max-w-[13.5em] text-[clamp(2rem,4.5vw,3.4rem)]" id={id}>
        {heading}
      </h2>
      {lead ? <p className="mt-5 max-w-[37.3em] text-lg text-muted">{lead}</p> : null}
    </div>
  );
}

const capitals = 'text-xs tracking-[0.01em] uppercase sm:tracking-[0.14em]';
const jumpLinkClass =
  'inline-flex min-h-11 items-center underline decoration-edge underline-offset-8 hover:text-accent hover:decoration-accent';
