import { site } from 'content:site';
import { ArrowIcon } from '../../../ui/components/icon.tsx';
import { PageLink } from '../../../ui/components/page-link.tsx';
import { auditPaths } from '../contract.ts';

export function Component({ className, hasArrow = false }: { className: string; hasArrow?: boolean }) {
  const { check } = site.audit;
  return (
    <PageLink className={className} to={auditPaths.page}>
      {hasArrow ? (
        <>
          {check} <ArrowIcon />
        </>
      ) : (
        check
      )}
    </PageLink>
  );
}
