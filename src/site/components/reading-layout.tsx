import type { ReactNode } from 'react';
import { Contents, type Entry } from './table-of-contents.tsx';

type ReadingProps = { contents: Entry[]; hasShortContents?: boolean; children: ReactNode };

export function Reading({ contents, hasShortContents = false, children }: ReadingProps) {
  return (
    <section data-world="paper">
      <div className={look}>
        <Contents entries={contents} isShort={hasShortContents} />
        <div>{children}</div>
      </div>
    </section>
  );
}

const look =
  'enter fade mx-auto grid max-w-page grid-cols-[minmax(0,1fr)] gap-12 px-5 py-section sm:px-8 lg:grid-cols-[clamp(14rem,20vw,17rem)_minmax(0,1fr)] lg:gap-[clamp(3rem,6vw,6rem)]';
