import type { ReactNode } from 'react';
import { isDocument, pageAt } from '../paths.ts';
import { usePlace, useRouter } from '../router/context.ts';
import { Link } from '../router/link.tsx';

type PageLinkProps = {
  to: string;
  className?: string;
  children: ReactNode;
};

/** A link inside the site. A visitor who is about to follow it has its page fetched ahead, unless they save data. */
export function PageLink({ to, className, children }: PageLinkProps) {
  const router = useRouter();
  const { pathname } = usePlace();

  function prefetch() {
    const page = pageAt(to);
    if (!page || isDocument(to) || !router || savesData()) return;
    // A failed look-ahead is no error: the click tries again and reports.
    router.loadPage(page).catch(() => undefined);
  }

  return (
    <Link
      aria-current={pathname === to ? 'page' : undefined}
      className={className}
      onFocus={prefetch}
      onPointerEnter={prefetch}
      onTouchStart={prefetch}
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
