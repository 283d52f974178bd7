import type { ReactNode } from 'react';
import { Illustration } from './illustration.tsx';
import { Eyebrow } from './section.tsx';

type PageHeaderProps = {
  label: string;
  hasPlainLabel?: boolean;
  heading: string;
  lead?: string;
  illustration?: string;
  children?: ReactNode;
  /** Beside the heading on wide screens, below it on others. */
  aside?: ReactNode;
};

export function PageHeader(props: PageHeaderProps) {
  const { label, hasPlainLabel = false, heading, lead, illustration, children, aside } = props;
  return (
    <section className="relative overflow-clip" data-theme="ink">
      {illustration ? (
        <Illustration className="header-art text-muted max-md:hidden" isBackground name={illustration} />
      ) : null}
      <div className={`${columnClass} ${aside ? asideClass : ''}`}>
        <div>
          <Eyebrow isPlain={hasPlainLabel}>{label}</Eyebrow>
          <h1 className={`page-title ${illustration ? 'narrow' : ''}`} tabIndex={-1}>
            {heading.replaceAll(' — ', '\u00a0— ')}
          </h1>
          {lead ? <p className={`page-lead ${illustration ? 'narrow' : ''}`}>{lead}</p> : null}
          {children ? <div className="mt-8">{children}</div> : null}
        </div>
        {aside}
      </div>
    </section>
  );
}

const columnClass = 'enter relative mx-auto max-w-page px-5 py-hero sm:px-8';
const asideClass = 'grid items-end gap-x-16 gap-y-10 lg:grid-cols-[1fr_minmax(0,26rem)]';
