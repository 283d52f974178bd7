import { brand } from 'content:brand';
import { site } from 'content:site';
import { useLocation } from 'react-router';
import { buttonClass } from './components/button.ts';
import { Icon } from './components/icon.tsx';
import { Logo } from './components/logo.tsx';
import { PageLink } from './components/page-link.tsx';
import { paths } from './paths.ts';

export const menuId = 'menu';

export function Header() {
  const { pathname } = useLocation();
  const { menuButton } = brand;
  return (
    <header className="sticky top-0 z-10 border-b border-hairline" data-theme="ink">
      <div
        className="mx-auto flex min-h-18 max-w-page flex-wrap items-center gap-2 px-4 sm:gap-3 sm:px-8"
        data-path={pathname}
      >
        <PageLink
          className="mr-auto flex min-h-11 min-w-11 items-center gap-2 font-bold tracking-tight sm:gap-2.5 sm:text-lg"
          to={paths.home}
        >
          <Logo />
          <span className="max-[359px]:sr-only">{brand.logoText}</span>
        </PageLink>
        <nav aria-label={site.header.primary} className="hidden items-center gap-2 md:flex">
          {brand.menu.map(({ label, path }) => (
            <PageLink
              className="nav-link inline-flex min-h-11 items-center rounded-pill px-4 text-muted hover:text-text aria-[current]:text-text"
              key={label}
              to={path}
            >
              {label}
            </PageLink>
          ))}
        </nav>
        <PageLink className={buttonClass.compact} to={menuButton.path}>
          {menuButton.label}
        </PageLink>
        <button
          className="inline-flex size-11 shrink-0 items-center justify-center rounded-pill border border-edge hover:border-accent md:hidden"
          popoverTarget={menuId}
          type="button"
        >
          <span className="sr-only">{site.header.menu}</span>
          <Icon d="M2 6h16M2 14h16" />
        </button>
      </div>
      <div
        className="menu rounded-card border border-hairline p-3 md:hidden"
        data-theme="ink"
        id={menuId}
        popover="auto"
      >
        <nav aria-label={site.header.menu} className="grid">
          {[...brand.menu.filter(({ label }) => label !== menuButton.label), menuButton].map(
            ({ label, path }) => (
              <PageLink
                className="flex min-h-12 items-center rounded-field px-4 text-lg hover:bg-high aria-[current]:text-accent"
                key={label}
                to={path}
              >
                {label}
              </PageLink>
            ),
          )}
        </nav>
      </div>
    </header>
  );
}
