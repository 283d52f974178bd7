import { site } from 'content:site';
import { useLocation } from 'react-router';
import { PageLink } from '../../../ui/components/page-link.tsx';
import { samplePath } from '../contract.ts';

export function Component() {
  const { pathname } = useLocation();
  return pathname === samplePath ? null : (
    <PageLink className={linkClass} to={samplePath}>
      {site.audit.sample}
    </PageLink>
  );
}

const linkClass =
  'inline-flex min-h-11 items-center justify-self-center text-muted underline underline-offset-4 hover:text-accent';
