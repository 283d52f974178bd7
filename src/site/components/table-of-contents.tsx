import site from 'content:site';
import { useEffect, useRef } from 'react';
import { useCurrentHeading } from '../use-current-heading.ts';
import { PageLink } from './page-link.tsx';

export type TocEntry = { id: string; title: string };

type TableOfContentsProps = {
  entries: TocEntry[];
  isShort?: boolean;
};

export function TableOfContents({ entries, isShort = false }: TableOfContentsProps) {
  const here = useCurrentHeading(entries.map(({ id }) => id));
  const rail = useRef<HTMLElement>(null);
  useEffect(() => {
    const link = here ? rail.current?.querySelector<HTMLElement>('[aria-current]') : undefined;
    if (rail.current && link) keepInView(rail.current, link);
  }, [here]);

  return (
    <>
      <nav
        aria-label={site.contents}
        className="sticky top-24 max-h-[calc(100dvh-8rem)] self-start overflow-y-auto overscroll-contain -m-1.5 p-1.5 max-lg:hidden print:hidden"
        ref={rail}
      >
        <Title />
        <Links entries={entries} here={here} look="rail" />
      </nav>
      {isShort ? (
        <nav aria-label={site.contents} className="lg:hidden print:hidden">
          <Title />
          <Links entries={entries} here={here} look="table" />
        </nav>
      ) : (
        <details
          className="contents-box rounded-card border border-hairline bg-high lg:hidden print:hidden"
          suppressHydrationWarning
        >
          <summary className="flex min-h-14 items-center gap-5 px-5 font-semibold">{site.contents}</summary>
          <nav aria-label={site.contents} className="px-5 pb-5">
            <Links entries={entries} here={here} look="rail" />
          </nav>
        </details>
      )}
    </>
  );
}

function Title() {
  return (
    <p aria-hidden="true" className="mb-4 font-mono text-xs tracking-[0.14em] text-accent uppercase">
      {site.contents}
    </p>
  );
}

type LinksProps = { entries: TocEntry[]; here: string | undefined; look: 'rail' | 'table' };

function Links({ entries, here, look }: LinksProps) {
  return (
    <ul className={lists[look]}>
      {entries.map(({ id, title }) => (
        <li key={id}>
          <PageLink aria-current={id === here ? 'location' : undefined} className={links[look]} to={`#${id}`}>
            {title}
          </PageLink>
        </li>
      ))}
    </ul>
  );
}

/** Scrolls the list alone: scrollIntoView would move the page with it. */
function keepInView(list: HTMLElement, link: HTMLElement): void {
  const [frame, mark] = [list.getBoundingClientRect(), link.getBoundingClientRect()];
  if (mark.top < frame.top) list.scrollTop -= frame.top - mark.top + mark.height;
  if (mark.bottom > frame.bottom) list.scrollTop += mark.bottom - frame.bottom + mark.height;
}

const lists: Record<LinksProps['look'], string> = {
  rail: 'grid',
  table:
    'grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-x-4 border-b border-hairline sm:grid-cols-3',
};
const links: Record<LinksProps['look'], string> = {
  rail: 'flex min-h-11 items-center border-l border-hairline py-1.5 pl-4 leading-snug text-muted hover:text-text aria-[current]:border-l-3 aria-[current]:border-accent aria-[current]:pl-3.5 aria-[current]:text-text',
  table:
    'flex h-full min-h-12 items-center border-t border-hairline py-2 text-[0.95rem] leading-snug hover:text-accent aria-[current]:font-semibold aria-[current]:text-accent',
};
