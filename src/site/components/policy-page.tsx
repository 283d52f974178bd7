import type { Policy } from '../../content/schemas/all-schemas.ts';
import { PageHeader } from './page-header.tsx';
import { PageMeta } from './page-meta.tsx';
import { listHeadings, Prose } from './prose.tsx';
import { ReadingLayout } from './reading-layout.tsx';

type PolicyName = 'privacy' | 'terms' | 'security' | 'audit-about';

export function PolicyPage({ page, policy }: { page: PolicyName; policy: Policy }) {
  const { title, dateLabel, date, body } = policy;
  return (
    <>
      <PageMeta page={page} texts={policy} />
      <PageHeader hasPlainLabel heading={title} label={`${dateLabel} ${formatDate(date, page)}`} />
      <ReadingLayout contents={listHeadings(body)}>
        <Prose className="max-w-reading *:first:mt-0" content={body} />
      </ReadingLayout>
    </>
  );
}

/** '15 November 2026', or 'July 15, 2024' as specified. Not by Intl: creating its first formatter blocks the main thread. */
function formatDate(date: string, page: string): string {
  const [year, month, day] = date.split('-').map(Number);
  const name = months[(month ?? 1) - 1];
  return page === 'security' ? `${day} ${name} ${year}` : `${name} ${day}, ${year}`;
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
