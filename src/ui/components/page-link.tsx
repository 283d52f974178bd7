import { type ComponentProps, createContext, useContext } from 'react';
import { Link, useLocation } from 'react-router';
import { pageAt, reloadsDocument } from '../site-pages.ts';

export const LoadPageContext = createContext<((page: string) => Promise<unknown>) | undefined>(undefined);

type PageLinkProps = Omit<ComponentProps<typeof Link>, 'reloadDocument'> & { to: string };

export function PageLink({ to, ...rest }: PageLinkProps) {
  const loadPage = useContext(LoadPageContext);
  const { pathname } = useLocation();
  const target = to.startsWith('#') ? pathname : to;
  const page = pageAt(target);
  const isClientRoute = page !== undefined && !reloadsDocument(target) && !reloadsDocument(pathname);

  function prefetch() {
    // Ignored: the click tries again and shows the error.
    if (isClientRoute && !prefersReducedData()) loadPage?.(page.name).catch(() => undefined);
  }

  return (
    <Link
      aria-current={pathname === to ? 'page' : undefined}
      discover="none"
      onFocus={prefetch}
      onPointerEnter={prefetch}
      onTouchStart={prefetch}
      reloadDocument={!isClientRoute}
      to={to}
      {...rest}
    />
  );
}

function prefersReducedData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
