import type { ReactNode } from 'react';

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

export function Eyebrow({ isPlain = false, children }: { isPlain?: boolean; children: ReactNode }) {
  return <p className={`mb-4 font-mono text-accent ${isPlain ? 'text-sm' : capitals}`}>{children}</p>;
}

export function StepNumber({ value, className }: { value: number; className: string }) {
  return (
    <span aria-hidden="true" className={`font-mono text-xs tracking-normal text-accent ${className}`}>
      {String(value).padStart(2, '0')}
    </span>
  );
}

type SectionHeaderProps = { id: string; label?: string; heading: string; lead?: string };

export function SectionHeader({ id, label, heading, lead }: SectionHeaderProps) {
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
