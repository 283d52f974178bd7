import type { ReactNode } from 'react';
import type { Frame, Page } from '../../../core/desk/page.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { NoticeBar } from '../../../ui/desk/notice.tsx';

export function Layout({ page, frame, children }: { page: Page; frame: Frame; children: ReactNode }) {
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[14rem_minmax(0,1fr)]">
      <a
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-20 focus:rounded-field focus:bg-accent focus:px-4 focus:py-2 focus:text-on-accent"
        href="#main"
      >
        Skip to the page
      </a>
      <header className="bg-surface text-text print:hidden" data-theme="ink">
        <div className="px-4 py-3 lg:sticky lg:top-0 lg:px-3 lg:py-5">
          <a className="desk-target flex flex-wrap items-baseline gap-x-2 px-2 lg:block" href={deskUrl('/')}>
            <span className="font-semibold">{frame.siteName}</span>
            <span className="block text-sm text-muted">Desk</span>
          </a>
          {frame.prefix ? (
            <nav aria-label="Desk" className="mt-2 lg:mt-6">
              <ul className="flex flex-wrap gap-1 lg:grid">
                {frame.links?.map(({ area, text }) => (
                  <li key={area}>
                    <a
                      aria-current={page.area === area ? 'page' : undefined}
                      className="desk-target flex items-center rounded-field px-2 text-sm text-muted hover:text-text aria-[current]:bg-high aria-[current]:text-text lg:px-3"
                      href={deskUrl(`/${area}`)}
                    >
                      {text}
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
          ) : null}
        </div>
      </header>
      <main className="min-w-0 px-4 py-5 sm:px-6 lg:px-8 lg:py-7" data-theme="paper" id="main" tabIndex={-1}>
        <h1 className="text-2xl" id="title">
          {page.title}
        </h1>
        {page.notice ? <NoticeBar {...page.notice} /> : null}
        <div className="mt-5">{children}</div>
      </main>
    </div>
  );
}
