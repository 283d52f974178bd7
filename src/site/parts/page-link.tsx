import { type ComponentProps, createContext, useContext } from 'react';
import { Link, useLocation } from 'react-router';
import { isDocument, type PageName, pageAt } from '../paths.ts';

/** Fetches a page ahead of the click; absent while pages are prerendered. */
export const LoadPageContext = createContext<((page: PageName) => Promise<unknown>) | undefined>(undefined);

type PageLinkProps = Omit<ComponentProps<typeof Link>, 'reloadDocument'> & { to: string };

/**
 * A link inside the site. A visitor who is about to follow it has its page fetched ahead, unless they save data. Pages of
 * the blog and files are the browser's own to load.
 */
export function PageLink({ to, ...rest }: PageLinkProps) {
  const loadPage = useContext(LoadPageContext);
  const { pathname } = useLocation();
  const page = pageAt(to.startsWith('#') ? pathname : to);
  const isOfRouter = page !== undefined && page !== 'blog' && !isDocument(pathname);

  function prefetch() {
    // A failed prefetch is no error: the click tries again and reports.
    if (isOfRouter && !savesData()) loadPage?.(page).catch(() => undefined);
  }

  return (
    <Link
      aria-current={pathname === to ? 'page' : undefined}
      discover="none"
      onFocus={prefetch}
      onPointerEnter={prefetch}
      onTouchStart={prefetch}
      reloadDocument={!isOfRouter}
      to={to}
      {...rest}
    />
  );
}

function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
