import type { Policy } from '../../content/schemas/all-schemas.ts';
import { PageHeader } from './page-header.tsx';
import { PageMeta } from './page-meta.tsx';
import { listHeadings, Prose } from './prose.tsx';
import { ReadingLayout } from './reading-layout.tsx';

export function PolicyPage({ page, policy }: { page: 'privacy' | 'terms' | 'security'; policy: Policy }) {
  const { title, dateLabel, date, body } = policy;
  return (
    <>
      <PageMeta page={page} texts={policy} />
      <PageHeader hasPlainLabel heading={title} label={`${dateLabel} ${formatDate(date)}`} />
      <ReadingLayout contents={listHeadings(body)}>
        <Prose className="max-w-reading *:first:mt-0" content={body} />
      </ReadingLayout>
    </>
  );
}

/** 'July 15, 2024'. Not by Intl: creating its first formatter blocks the main thread. */
function formatDate(date: string): string {
  const [year, month, day] = date.split('-').map(Number);
  return `${months[(month ?? 1) - 1]} ${day}, ${year}`;
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
