import { settings } from 'content:settings';
import { site } from 'content:site';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { buttonClass } from '../../../ui/components/button.ts';
import { ArrowIcon } from '../../../ui/components/icon.tsx';
import { PageLink } from '../../../ui/components/page-link.tsx';
import { paths } from '../../../ui/paths.ts';
import { samplePath } from '../../sample-report/contract.ts';
import { auditPaths } from '../contract.ts';

type AuditCallToActionProps = { className?: string; children?: ReactNode };

export function AuditCallToAction({ className = '', children }: AuditCallToActionProps) {
  const { heading, text, check, button, sample } = site.audit;
  const { pathname } = useLocation();
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
        {hasAudit ? (
          <PageLink className={buttonClass.large} to={auditPaths.page}>
            {check} <ArrowIcon />
          </PageLink>
        ) : null}
        <PageLink className={hasAudit ? buttonClass.quiet : buttonClass.large} to={paths.contact}>
          {button} {hasAudit ? null : <ArrowIcon />}
        </PageLink>
        {pathname === samplePath ? null : (
          <PageLink
            className="inline-flex min-h-11 items-center justify-self-center text-muted underline underline-offset-4 hover:text-accent"
            to={samplePath}
          >
            {sample}
          </PageLink>
        )}
      </div>
    </section>
  );
}

/** A static host cannot look at a domain, and the owner may have switched it off. */
export const hasAudit = !settings.CONTACT_ENDPOINT && settings.AUDIT !== 'off';

const boxClass =
  'flex flex-wrap items-center gap-x-12 gap-y-7 rounded-card px-6 py-9 sm:px-10 sm:py-11 print:hidden';
