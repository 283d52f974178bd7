import type { ReactNode } from 'react';
import { TableOfContents, type TocEntry } from './table-of-contents.tsx';

type ReadingLayoutProps = { contents: TocEntry[]; hasShortContents?: boolean; children: ReactNode };

export function ReadingLayout({ contents, hasShortContents = false, children }: ReadingLayoutProps) {
  return (
    <section data-theme="paper">
      <div className={gridClass}>
        <TableOfContents entries={contents} isShort={hasShortContents} />
        <div>{children}</div>
      </div>
    </section>
  );
}

const gridClass =
  'enter fade mx-auto grid max-w-page grid-cols-[minmax(0,1fr)] gap-12 px-5 py-section sm:px-8 lg:grid-cols-[clamp(14rem,20vw,17rem)_minmax(0,1fr)] lg:gap-[clamp(3rem,6vw,6rem)]';
