import company from 'content:company';
import site from 'content:site';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { paths } from '../paths.ts';
import { buttonLook } from './button.ts';
import { Mark } from './logo.tsx';
import { PageLink } from './page-link.tsx';
import { PauseButton } from './pause-button.tsx';

const menuId = 'menu';

/** The menu of small screens is a native popover: it opens, closes and answers Escape without JavaScript. */
export function Header() {
  const { key, pathname } = useLocation();
  const shown = useRef(key);
  useEffect(() => {
    // A visitor may have opened the menu before React came: only a navigation closes it.
    if (shown.current !== key) document.getElementById(menuId)?.hidePopover?.();
    shown.current = key;
  }, [key]);

  return (
    <header className="sticky top-0 z-10 border-b border-hairline" data-world="ink">
      <div
        className="shown-whole mx-auto flex min-h-18 max-w-page flex-wrap items-center gap-2 px-4 sm:gap-3 sm:px-8"
        data-path={pathname}
      >
        <PageLink
          className="mr-auto flex min-h-11 items-center gap-2 font-bold tracking-tight sm:gap-2.5 sm:text-lg"
          to={paths.home}
        >
          <Mark />
          <span className="max-[359px]:sr-only">{company.logoText}</span>
        </PageLink>
        <nav aria-label={site.header.primary} className="hidden items-center gap-2 md:flex">
          <PageLink className={linkLook} to={paths.home}>
            {site.header.home}
          </PageLink>
          <PageLink className={linkLook} to={paths.services}>
            {site.header.services}
          </PageLink>
        </nav>
        <PauseButton />
        <PageLink className={buttonLook.compact} to={paths.contact}>
          {site.header.contact}
        </PageLink>
        <button
          className="shown-last inline-flex size-11 shrink-0 items-center justify-center rounded-pill border border-edge hover:border-accent md:hidden"
          popoverTarget={menuId}
          type="button"
        >
          <span className="sr-only">{site.header.menu}</span>
          <svg aria-hidden="true" className="size-5" fill="none" viewBox="0 0 20 20">
            <path d="M2 6h16M2 14h16" stroke="currentColor" strokeLinecap="round" strokeWidth="2" />
          </svg>
        </button>
      </div>
      <div
        className="menu rounded-card border border-hairline p-3 md:hidden"
        data-world="ink"
        id={menuId}
        popover="auto"
      >
        <nav aria-label={site.header.menu} className="grid">
          <PageLink className={menuLinkLook} to={paths.home}>
            {site.header.home}
          </PageLink>
          <PageLink className={menuLinkLook} to={paths.services}>
            {site.header.services}
          </PageLink>
          <PageLink className={menuLinkLook} to={paths.contact}>
            {site.header.contact}
          </PageLink>
        </nav>
      </div>
    </header>
  );
}

const linkLook =
  'inline-flex min-h-11 items-center rounded-pill px-4 text-muted hover:text-text aria-[current]:text-text aria-[current]:underline aria-[current]:decoration-accent aria-[current]:decoration-2 aria-[current]:underline-offset-8';
const menuLinkLook =
  'flex min-h-12 items-center rounded-field px-4 text-lg hover:bg-high aria-[current]:text-accent aria-[current]:underline';
