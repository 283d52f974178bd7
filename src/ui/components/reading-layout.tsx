import { site } from 'content:site';
import { type ReactNode, useEffect, useRef } from 'react';
import { useCurrentHeading } from '../use-current-heading.ts';
import { PageLink } from './page-link.tsx';
import { Eyebrow } from './section.tsx';

type TocEntry = { id: string; title: string };
type ReadingLayoutProps = {
  contents: TocEntry[];
  /** Beside the text on wide screens, after it on others. */
  aside?: ReactNode;
  children: ReactNode;
};

export function ReadingLayout({ contents, aside, children }: ReadingLayoutProps) {
  return (
    <section data-theme="paper">
      <div className={`${gridClass} ${aside ? asideGridClass : ''}`}>
        <TableOfContents entries={contents} />
        <div>{children}</div>
        {aside ? (
          <div className="self-start lg:col-start-2 xl:sticky xl:top-24 xl:col-start-3 print:hidden">
            {aside}
          </div>
        ) : null}
      </div>
    </section>
  );
}

function TableOfContents({ entries }: { entries: TocEntry[] }) {
  const currentId = useCurrentHeading(entries.map(({ id }) => id));
  const sidebar = useRef<HTMLElement>(null);
  useEffect(() => {
    const link = currentId ? sidebar.current?.querySelector<HTMLElement>('[aria-current]') : undefined;
    // Unlike scrollIntoView, it does not scroll the page.
    if (sidebar.current && link)
      sidebar.current.scrollTop = link.offsetTop - sidebar.current.clientHeight / 2;
  }, [currentId]);

  return (
    <>
      <nav
        aria-label={site.contents}
        className="sticky top-24 max-h-[calc(100dvh-8rem)] self-start overflow-y-auto overscroll-contain -m-1.5 p-1.5 max-lg:hidden print:hidden"
        ref={sidebar}
      >
        <div aria-hidden="true">
          <Eyebrow>{site.contents}</Eyebrow>
        </div>
        <Links entries={entries} currentId={currentId} />
      </nav>
      <details
        className="rounded-card border border-hairline bg-high lg:hidden print:hidden"
        suppressHydrationWarning
      >
        <summary className="flex min-h-14 items-center gap-5 px-5 font-semibold">{site.contents}</summary>
        <nav aria-label={site.contents} className="px-5 pb-5">
          <Links entries={entries} currentId={currentId} />
        </nav>
      </details>
    </>
  );
}

type LinksProps = { entries: TocEntry[]; currentId: string | undefined };

function Links({ entries, currentId }: LinksProps) {
  return (
    <ul className="grid">
      {entries.map(({ id, title }) => (
        <li key={id}>
          <PageLink
            aria-current={id === currentId ? 'location' : undefined}
            className="flex min-h-11 items-center border-l border-hairline py-1.5 pl-4 leading-snug text-muted hover:text-text aria-[current]:border-l-3 aria-[current]:border-accent aria-[current]:pl-3.5 aria-[current]:text-text"
            to={`#${id}`}
          >
            {title}
          </PageLink>
        </li>
      ))}
    </ul>
  );
}

const gridClass =
  'enter fade mx-auto grid print:block max-w-page grid-cols-[minmax(0,1fr)] gap-12 px-5 py-section sm:px-8 lg:grid-cols-[clamp(14rem,20vw,17rem)_minmax(0,1fr)] lg:gap-[clamp(3rem,6vw,6rem)]';
const asideGridClass = 'xl:grid-cols-[12rem_minmax(0,1fr)_17rem] xl:gap-10';
