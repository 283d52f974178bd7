import { audit } from 'content:audit';
import { PageMeta } from '../../../ui/components/page-meta.tsx';
import { Component as AuditReport } from './audit-report.tsx';
import { renderTemplate } from './render-report.tsx';

export function Component() {
  return (
    <>
      <PageMeta texts={audit.report} />
      <AuditReport html={renderTemplate()} />
    </>
  );
}
