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
  return <p className={`mb-4 text-accent ${isPlain ? 'font-mono text-sm' : capitals}`}>{children}</p>;
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
      <h2 className="section-title" id={id}>
        {heading}
      </h2>
      {lead ? <p className="section-lead">{lead}</p> : null}
    </div>
  );
}

const capitals = 'capitals tracking-[0.01em] sm:tracking-[0.14em]';
