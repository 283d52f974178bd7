import { site } from 'content:site';
import { Slot as OtherLinks } from 'slot:call-to-action';
import { Slot as CheckLink, isFilled as hasCheck } from 'slot:check-link';
import type { ReactNode } from 'react';
import { paths } from '../paths.ts';
import { buttonClass } from './button.ts';
import { ArrowIcon } from './icon.tsx';
import { PageLink } from './page-link.tsx';

type CallToActionProps = { className?: string; children?: ReactNode };

export function CallToAction({ className = '', children }: CallToActionProps) {
  const { heading, text, button } = site.audit;
  return (
    <section aria-labelledby="audit_" className={`${boxClass} ${className}`} data-theme="ink">
      {children}
      <div className="grow basis-[15rem]">
        <h2 className="max-w-[13.5em] text-[clamp(1.6rem,2.6vw,2.1rem)]" id="audit_">
          {heading}
        </h2>
        <p className="mt-4 max-w-reading text-muted">{text}</p>
      </div>
      <div className="grid gap-3">
        <CheckLink className={buttonClass.large} hasArrow />
        <PageLink className={hasCheck ? buttonClass.quiet : buttonClass.large} to={paths.contact}>
          {button} {hasCheck ? null : <ArrowIcon />}
        </PageLink>
        <OtherLinks />
      </div>
    </section>
  );
}

const boxClass =
  'flex flex-wrap items-center gap-x-12 gap-y-7 rounded-card px-6 py-9 sm:px-10 sm:py-11 print:hidden';
