import { createContext, type ReactNode, useContext } from 'react';
import { Link, useLocation } from 'react-router';
import { type PageName, pageAt } from '../paths.ts';

/** How a page's chunk is fetched; absent while pages are prerendered. */
export const PageLoader = createContext<((name: PageName) => Promise<unknown>) | undefined>(undefined);

type PageLinkProps = {
  to: string;
  className?: string;
  tabIndex?: number | undefined;
  children: ReactNode;
};

/** A link inside the site. A visitor who is about to follow it has its page fetched ahead, unless they save data. */
export function PageLink({ to, className, tabIndex, children }: PageLinkProps) {
  const loadPage = useContext(PageLoader);
  const { pathname } = useLocation();

  function prefetch() {
    const page = pageAt(to);
    if (!page || !loadPage || savesData()) return;
    // A failed look-ahead is no error: the click tries again and reports.
    loadPage(page).catch(() => undefined);
  }

  return (
    <Link
      aria-current={pathname === to ? 'page' : undefined}
      className={className}
      onFocus={prefetch}
      onPointerEnter={prefetch}
      onTouchStart={prefetch}
      tabIndex={tabIndex}
      to={to}
    >
      {children}
    </Link>
  );
}

function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
