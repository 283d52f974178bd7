import { site } from 'content:site';
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { type Location, ScrollRestoration, useLocation, useNavigation } from 'react-router';
import { Footer } from './footer.tsx';
import { Header, menuId } from './header.tsx';
import { reloadsDocument } from './site-pages.ts';
import { findFragmentTarget } from './use-open-fragment.ts';

const mainId = 'main';

export function Layout({ children }: { children: ReactNode }) {
  const isLoading = useNavigation().state !== 'idle';
  const { pathname } = useLocation();
  useNavigationEffects();
  return (
    <>
      <a className="skip-link" href={`#${mainId}`} onClick={skipToMain}>
        {site.header.skip}
      </a>
      {isLoading ? (
        <div aria-hidden="true" className="progress fixed inset-x-0 top-0 z-20 h-0.5" data-theme="mint" />
      ) : null}
      {/* Not the header itself: it is sticky, so browsers would not scroll to it. */}
      <div id="top" tabIndex={-1} />
      <Header />
      <main id={mainId} tabIndex={-1}>
        {children}
      </main>
      <Footer />
      {reloadsDocument(pathname) ? null : <ScrollRestoration getKey={scrollKey} />}
    </>
  );
}

/** History entries that the router did not create all have the key 'default'. */
function scrollKey({ key, pathname, hash }: Location): string {
  return key === 'default' ? pathname + hash : key;
}

/** Not at hydration: the visitor may have opened the menu or focused a field before. */
function useNavigationEffects(): void {
  const { key, hash } = useLocation();
  const shownKey = useRef(key);
  useEffect(() => {
    if (shownKey.current === key) return;
    shownKey.current = key;
    document.getElementById(menuId)?.hidePopover?.();
    const fragmentTarget = findFragmentTarget(hash);
    const target = fragmentTarget ?? document.querySelector<HTMLElement>(`#${mainId} h1`);
    if (!target) return;
    if (target.tabIndex < 0) target.setAttribute('tabindex', '-1');
    target.focus({ preventScroll: true });
  }, [key, hash]);
}

function skipToMain(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById(mainId)?.focus();
}
